// Chooses the events that a receiver gets samples of. A receiver may act on each sample, so if the webhook's events are
// unknown, a few represent all of them, and the results say so.

import { eventGroups, eventsFlag } from '#cli/event-groups.ts';
import type { Flag } from '#cli/flags/flag.ts';
import { type EventName, eventNames } from '#contract/event.ts';
import { type CheckResult, notChecked } from './check-result.ts';
import type { VerifyTarget } from './receiver-target.ts';

/** One event for each kind of subject, with and without a taskId, and the two with objects and lists in their payloads. */
const fewEvents: readonly EventName[] = [
  'TaskStatusChanged',
  'TaskResponsiblesAdded',
  'CommentAdded',
  'FolderTitleChanged',
  'ProjectStatusChanged',
  'WorkItemTypeChanged',
];

/** For a short check of a webhook with all events. */
const shortEvents: readonly EventName[] = ['TaskStatusChanged', 'FolderTitleChanged'];

/** In the contract's order, which begins with the events that have a taskId. */
export function eventsToSend({ events }: VerifyTarget, isShort: boolean): readonly EventName[] {
  if (events === undefined) return isShort ? shortEvents : fewEvents;
  if (isShort && events.length === eventNames.length) return shortEvents;
  return eventNames.filter((name) => events.includes(name));
}

/** The user's events take precedence. */
export function withEvents(target: VerifyTarget, events: readonly EventName[] | undefined): VerifyTarget {
  return events === undefined ? target : { ...target, events };
}

/** Empty if every event that the webhook delivers has its sample. */
export function unsampledResult({ events }: VerifyTarget): readonly CheckResult[] {
  if (events !== undefined) return [];
  const why = `which events it delivers is not known, so samples of ${fewEvents.length} kinds stand for all ${eventNames.length}`;
  return [notChecked('other events', why, 'Name the events: --events EVENT,... (or --events all).')];
}

export const sampledEventsFlag: Flag<readonly EventName[]> = {
  ...eventsFlag,
  help: `Send samples of these events (default: the webhook's events). Also groups: ${eventGroups.join(', ')}; or all`,
  parse(given) {
    const selected = eventsFlag.parse(given);
    return selected === 'all' ? eventNames : selected;
  },
};
