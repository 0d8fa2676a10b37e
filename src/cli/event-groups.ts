// Parses events for --events: names, `all`, groups such as `task` or `comment`, and the contract's notation [A,B].

import { type EventName, eventNames, events } from '#contract/event.ts';
import { webhookCreateParameters } from '#contract/webhook-create.ts';
import { parseEventName } from './event-name.ts';
import { entriesFlag, type Flag } from './flags/flag.ts';

const { schema, meaning } = webhookCreateParameters.events;
const bySubject = ['task', 'folder', 'project', 'workItem'] as const;
const byWord = ['approval', 'attachment', 'comment', 'customField', 'timelog'] as const;
export const eventGroups: readonly string[] = [...bySubject, ...byWord];

/** `all` includes events that the service adds later, since the request then names none. */
export type SelectedEvents = readonly EventName[] | 'all';

/** The events of a group, from the table of events; empty for an unknown group. */
export function eventsOfGroup(text: string): readonly EventName[] {
  const group = text.toLowerCase();
  const subject = bySubject.find((candidate) => candidate.toLowerCase() === group);
  if (subject) return eventNames.filter((name) => events[name].subject === subject);
  return byWord.some((word) => word.toLowerCase() === group)
    ? eventNames.filter((name) => name.toLowerCase().includes(group))
    : [];
}

/** The events of a group, or the one of that name. `prefix` begins the message of the usage failure. */
export function parseEventOrGroup(input: unknown, prefix: string): readonly EventName[] {
  const group = eventsOfGroup(String(input));
  return group.length > 0 ? group : [parseEventName(input, prefix)];
}

/** Removes duplicates. Throws a `ValidationError` if no event is left. */
export function joinEvents(entries: readonly SelectedEvents[]): SelectedEvents {
  if (entries.includes('all')) return 'all';
  return schema.validate([...new Set(entries.flat())]);
}

export function eventsFlagFor(flag: string, help: string): Flag<SelectedEvents> {
  const entries = entriesFlag(
    (input) => (String(input).toLowerCase() === 'all' ? 'all' : parseEventOrGroup(input, `${flag}: `)),
    'EVENT',
    help,
  );
  return { ...entries, completes: 'event or group', parse: (texts) => joinEvents(entries.parse(texts)) };
}

export const eventsFlag = eventsFlagFor(
  '--events',
  `${meaning}; see \`wm webhook events\`. Also groups: ${eventGroups.join(', ')}; or all`,
);
