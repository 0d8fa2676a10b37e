// `wm webhook events`: lists the events, for people who write a receiver or choose a subscription.

import { command } from '#cli/command.ts';
import { type EventName, type EventRow, eventNames, events } from '#contract/event.ts';
import type { Column } from '#terminal/table.ts';

type EventShown = EventRow & { readonly name: EventName };

const pipeColumns: readonly Column<EventShown>[] = [
  { title: 'event', cell: ({ name }) => name, unbroken: true },
  { title: 'about', cell: ({ subject }) => subject },
  { title: 'filter', cell: ({ filter }) => filter ?? '' },
  { title: 'payload', cell: ({ idField, payload }) => [idField, ...payload].join(', ') },
  { title: 'note', cell: ({ note }) => note ?? '' },
];

export default command({
  changes: 'nothing',
  examples: {
    'List them all': 'wm webhook events',
    'Get the names in a script': 'wm webhook events | cut -f1',
  },
  pipeColumns,
  async run(_input, { report }) {
    const records = eventNames.map((name): EventShown => ({ name, ...events[name] }));
    await report.list({ columns: pipeColumns, records, raw: records, mayBeLong: true });
  },
});
