// Creates the bodies that are sent to a receiver: for each event one that follows the contract.

import { eventGroups, eventsFlag } from '#cli/event-groups.ts';
import type { Flag } from '#cli/flags/flag.ts';
import { formatTimestamp } from '#contract/date.ts';
import { type EventName, eventNames, events } from '#contract/event.ts';
import { exampleIds, samplePayload, toPayload } from '#contract/payload.ts';
import { words } from '#contract/words.ts';
import { type CheckResult, notChecked } from './check-result.ts';
import type { VerifyTarget } from './verify-flags.ts';

export type SampleEvent = Readonly<Record<string, unknown>>;

/** Only the webhook's id exists; the other ids are made up. */
export function sampleEvent(
  event: EventName,
  { webhookId = exampleIds.webhook, sampleId: subjectId = exampleIds.task }: VerifyIds,
  now: number,
  title = 'Sample of wm webhook verify',
): SampleEvent {
  const head = { webhookId, authorId: exampleIds.author, date: formatTimestamp(now), subjectId };
  return toPayload(event, head, samplePayload(event, exampleIds, title));
}

type VerifyIds = Pick<VerifyTarget, 'webhookId' | 'sampleId'>;

/** The service sends an array even for one event. */
export const toBody = (event: SampleEvent): string => JSON.stringify([event]);

export const hasTaskId = (event: EventName): boolean => events[event].idField === 'taskId';

/** One event for each kind of subject, with and without a taskId, and the two with objects and lists in their payloads. */
const fewEvents: readonly EventName[] = words(
  'TaskStatusChanged TaskResponsiblesAdded CommentAdded FolderTitleChanged ProjectStatusChanged WorkItemTypeChanged',
);

const shortEvents: readonly EventName[] = ['TaskStatusChanged', 'FolderTitleChanged'];

/** In the contract's order, which begins with the events that have a taskId. */
export function eventsToSend({ events }: VerifyTarget, isShort: boolean): readonly EventName[] {
  if (events === undefined) return isShort ? shortEvents : fewEvents;
  if (isShort && events.length === eventNames.length) return shortEvents;
  return eventNames.filter((name) => events.includes(name));
}

/** Empty if every event that the webhook delivers has its sample. */
export function unsampledResult({ events }: VerifyTarget): readonly CheckResult[] {
  if (events !== undefined) return [];
  const why = `the events it delivers are unknown, so samples of ${fewEvents.length} kinds stand for all ${eventNames.length}`;
  return [notChecked('other events', why, 'Name the events: --events EVENT,... (or --events all).')];
}

export const sampledEventsFlag: Flag<readonly EventName[]> = {
  ...eventsFlag,
  help: `Send samples of these events (default: the webhook's events). Also groups: ${eventGroups.join(', ')}; or all`,
  parse(texts) {
    const selected = eventsFlag.parse(texts);
    return selected === 'all' ? eventNames : selected;
  },
};
