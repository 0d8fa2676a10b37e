// The events of a new webhook as a user picks them on a terminal: all, groups, or single ones.

import { eventNames, events } from '../../../contract/event.ts';
import type { Entry } from '../../../terminal/picker/entry.ts';
import type { Context } from '../../context.ts';
import { eventGroups, eventsOfGroup, joinEvents, type SelectedEvents } from '../../event-groups.ts';

/** Throws where there is no prompt. */
export async function pickEvents(context: Context): Promise<SelectedEvents> {
  const picked = await context.prompt('--events', (prompt) =>
    prompt.pickSeveral('Which events?', eventEntries),
  );
  return joinEvents(picked);
}

/** By the words that --events takes; `all` is first, since it is what a webhook delivers where nothing is said. */
const eventEntries: readonly Entry<SelectedEvents>[] = [
  { title: 'all', details: ['every event'], value: 'all' },
  ...eventGroups.map((title) => {
    const value = eventsOfGroup(title);
    return { title, details: [value.length === 1 ? '1 event' : `${value.length} events`], value };
  }),
  ...eventNames.map((name) => ({
    title: name,
    details: [events[name].subject, events[name].note ?? ''],
    value: [name],
  })),
];
