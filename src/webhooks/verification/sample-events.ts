// Which events a receiver gets samples of. Somebody may act on each, so where nobody knows what the webhook delivers, a few stand
// for all of them, and the results say so.

import { eventGroups, eventsFlag } from '#cli/event-groups.ts';
import type { Flag } from '#cli/flags/flag.ts';
import { type EventName, eventNames } from '#contract/event.ts';
import { type CheckResult, notChecked } from './check-result.ts';
import type { VerifyTarget } from './receiver-target.ts';

/** One of each kind of subject, with and without a taskId, and the two whose payloads have objects and lists in them. */
const fewEvents: readonly EventName[] = [
  'TaskStatusChanged',
  'TaskResponsiblesAdded',
  'CommentAdded',
  'FolderTitleChanged',
  'ProjectStatusChanged',
  'WorkItemTypeChanged',
];

/** For a short look at a webhook of all events. */
const shortEvents: readonly EventName[] = ['TaskStatusChanged', 'FolderTitleChanged'];

/** In the order of the contract, which begins with the events that have a taskId. */
export function eventsToSend({ events }: VerifyTarget, isShort: boolean): readonly EventName[] {
  if (events === undefined) return isShort ? shortEvents : fewEvents;
  if (isShort && events.length === eventNames.length) return shortEvents;
  return eventNames.filter((name) => events.includes(name));
}

/** Those that the user named come first. */
export function withEvents(target: VerifyTarget, events: readonly EventName[] | undefined): VerifyTarget {
  return events === undefined ? target : { ...target, events };
}

/** None where each event that the webhook delivers has its sample. */
export function unsampledResult({ events }: VerifyTarget): readonly CheckResult[] {
  if (events !== undefined) return [];
  const why = `which events it delivers is not known, so samples of ${fewEvents.length} kinds stand for all ${eventNames.length}`;
  return [notChecked('other events', why, 'Name the events: --events EVENT,... (or --events all).')];
}

export const sampledEventsFlag: Flag<readonly EventName[]> = {
  ...eventsFlag,
  help: `Send samples of these events (default: those that the webhook delivers). Also groups: ${eventGroups.join(', ')}; or all`,
  parse(given) {
    const selected = eventsFlag.parse(given);
    return selected === 'all' ? eventNames : selected;
  },
};
