// `wm emulator emit EVENT`: makes any event happen in a running emulator, which delivers it to its webhooks.

import { number, object, readLeniently, text } from '../../contract/schema.ts';
import type { Column } from '../../terminal/table.ts';
import { command } from '../command.ts';
import { readEventName } from '../event-name.ts';
import { controlCall, controlFlags } from './control-call.ts';
import { jsonObject } from './json-object.ts';

const emitted = object('event', { idempotencyKey: text('key'), deliveries: number('count') });

interface Emitted {
  readonly eventType: string;
  readonly deliveries: number;
  readonly idempotencyKey: string;
}

const columns: readonly Column<Emitted>[] = [
  { title: 'event', cell: (one) => one.eventType },
  { title: 'deliveries', cell: (one) => String(one.deliveries) },
  { title: 'key', cell: (one) => one.idempotencyKey },
];

const payload = jsonObject(
  '--payload',
  "Payload fields, the subject's id among them, instead of the samples",
  '{"taskId":"IEAAAAAQKQAB5BNG"}',
);

export default command({
  showsRequests: true,
  examples: [
    { does: 'A comment on the sample task', line: 'wm emulator emit CommentAdded' },
    {
      does: 'With your own payload',
      line: `wm emulator emit TimelogChanged --payload '{"taskId":"IEAAAAAQKQAB5BNG","hours":"2.5"}'`,
    },
  ],
  details:
    '`wm webhook events` lists the events with their payload fields; a value must have the type of its field.',
  columns,
  arguments: { event: { help: 'the name of the event' } },
  flags: { payload, ...controlFlags },
  async run({ arguments: { event }, flags: { url, payload: given } }, context) {
    const eventType = readEventName(event);
    const answer = await controlCall(context, url, {
      method: 'POST',
      path: '/events',
      body: { ...given, eventType },
    });
    if (answer === undefined) return;
    await context.report.one({
      columns,
      records: [{ eventType, ...readLeniently(emitted, answer) }],
      raw: [answer],
    });
  },
});
