// Dispatches the events of tasks and folders: adds a delivery for each webhook that covers the place, whose author may see it and whose
// filters match. The event of a changed description of a task comes some minutes later.

import type { EventName } from '#contract/event.ts';
import { toPayload } from '#contract/payload.ts';
import type { ParameterisedEvent } from '#contract/webhook-create.ts';
import { randomUuid } from '#random-values.ts';
import type { World } from '#world/world.ts';
import {
  canSeeSubject,
  inheritedFolderIds,
  isTask,
  placeIdOf,
  requireEntry,
  type Subject,
  withAncestors,
} from '../state/access.ts';
import type { EmulatorClock } from '../state/clock.ts';
import type { Scheduler } from '../state/scheduler.ts';
import type { DeliveryVariant, ScheduledJob, Store, StoredWebhook } from '../state/store.ts';
import { emitChanges, toEventDates } from '../update/changes.ts';
import type { Deliveries } from './deliveries.ts';

/** An occurrence of an event, before the webhooks for it are looked up. */
export interface Occurrence {
  /** The idempotency key, the same for all webhooks. */
  readonly id: string;
  readonly event: EventName;
  readonly authorId: string;
  readonly date: string;
  readonly subject: Subject;
  /** Without the fields that all events have. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The folders that contain the subject directly. */
  readonly placeIds: readonly string[];
}

interface DispatchContext {
  readonly store: Store;
  readonly deliveries: Pick<Deliveries, 'add'>;
  readonly settings: { readonly compact: boolean };
}

interface EventContext extends DispatchContext, Pick<World, 'randomBytes'> {
  readonly clock: Pick<EmulatorClock, 'now' | 'timestamp'>;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly settings: DispatchContext['settings'] & { readonly descriptionEventSeconds: number };
}

/** Returns the number of deliveries. */
export function dispatch(
  { store, deliveries, settings }: DispatchContext,
  occurrence: Occurrence,
  variants: readonly DeliveryVariant[] = [],
): number {
  if (store.webhooks.size === 0) return 0;
  const { subject, placeIds } = occurrence;
  const direct = isTask(subject) ? placeIds : [subject.id, ...placeIds];
  const inherited = isTask(subject) ? inheritedFolderIds(store, subject) : [];
  const places = withAncestors(store, [...direct, ...inherited]);
  const covers = (webhook: StoredWebhook) => {
    const placeId = placeIdOf(webhook);
    if (placeId === undefined) return webhook.accountId === subject.accountId;
    return webhook.recursive ? places.has(placeId) : direct.includes(placeId);
  };
  let count = 0;
  for (const webhook of store.webhooks.values()) {
    if (webhook.status !== 'Active' || !covers(webhook)) continue;
    const fields = matchFilters(webhook, occurrence);
    if (fields === undefined) continue;
    // A webhook acts for its author, and delivers only what is shared with them.
    if (!canSeeSubject(store, requireEntry(store.users, webhook.authorId), subject)) continue;
    const payload = buildPayload(occurrence, webhook.id, fields);
    const content = variants.includes('single-object') ? payload : [payload];
    const body = JSON.stringify(content, null, settings.compact ? 0 : 2);
    for (let copy = 0; copy < (variants.includes('duplicate') ? 2 : 1); copy++) {
      deliveries.add(webhook, occurrence, body);
      count++;
    }
  }
  return count;
}

function matchesEntry(entry: ParameterisedEvent, { event, subject, payload }: Occurrence): boolean {
  if (entry.event !== event) return false;
  const recurrent = isTask(subject) ? subject.recurrent : undefined;
  if (entry.recurrent !== undefined && entry.recurrent !== recurrent) return false;
  return entry.customFields?.includes(String(payload['customFieldId'])) ?? true;
}

/** The additional fields for the payload; undefined if the occurrence does not match the webhook's filters. */
function matchFilters(webhook: StoredWebhook, occurrence: Occurrence): readonly string[] | undefined {
  const { customItemTypes, events, parameterisedEvents } = webhook;
  if (customItemTypes !== undefined) {
    const type = occurrence.subject.customItemTypeId;
    if (type === undefined || !customItemTypes.includes(type)) return undefined;
  }
  if ((events ?? parameterisedEvents) === undefined || events?.includes(occurrence.event)) return [];
  const entries = (parameterisedEvents ?? []).filter((entry) => matchesEntry(entry, occurrence));
  if (entries.length === 0) return undefined;
  return [...new Set(entries.flatMap(({ fields }) => fields ?? []))];
}

/** The members that `fields` may name, three of them in the form of events. */
function fieldsOf({ subject }: Occurrence): Readonly<Record<string, unknown>> {
  if (isTask(subject))
    return { ...subject, dates: toEventDates(subject.dates), recurrence: subject.recurrent };
  const { ownerIds, customStatusId, startDate, endDate } = subject.project ?? {};
  return { ...subject, project: subject.project && { ownerIds, customStatusId, startDate, endDate } };
}

function buildPayload(occurrence: Occurrence, webhookId: string, fields: readonly string[]): unknown {
  const { event, authorId, date, subject, payload } = occurrence;
  const common = { webhookId, authorId, date, subjectId: subject.id };
  if (fields.length === 0) return toPayload(event, common, payload);
  const own = fieldsOf(occurrence);
  const additional = Object.fromEntries(fields.map((name) => [name, own[name] ?? null]));
  return toPayload(event, common, { ...payload, fields: additional });
}

/** Dispatched some minutes later, with the task as it is then. */
const delayedEvent: EventName = 'TaskDescriptionChanged';

export function dispatchChanges(context: EventContext, authorId: string, before: Subject, after: Subject) {
  const { store, clock, settings, scheduler } = context;
  // Only the event of a changed description can go to a webhook that does not exist yet.
  if (store.webhooks.size === 0 && before.description === after.description) return;
  emitChanges(store, before, after, (event, payload, placeIds) => {
    if (event !== delayedEvent) return dispatchEvent(context, authorId, event, after, payload, placeIds);
    const due = clock.now() + settings.descriptionEventSeconds * 1000;
    const job = { type: 'description event', id: randomUuid(context), date: clock.timestamp(), due } as const;
    scheduler.add({ ...job, authorId, taskId: after.id });
  });
}

export function dispatchDescriptionEvent(
  context: DispatchContext,
  { id, authorId, date, taskId }: Extract<ScheduledJob, { type: 'description event' }>,
): void {
  // A deleted task is still in the recycle bin.
  const subject = requireEntry(context.store.tasks, taskId);
  const event = delayedEvent;
  dispatch(context, { id, event, authorId, date, subject, payload: {}, placeIds: subject.parentIds });
}

/** Of a task or folder as it is now. `placeIds`: the folders that contain it. */
export function dispatchEvent(
  context: DispatchContext & Pick<EventContext, 'clock' | 'randomBytes'>,
  authorId: string,
  event: EventName,
  subject: Subject,
  payload: Occurrence['payload'] = {},
  placeIds: readonly string[] = subject.parentIds,
): void {
  const [id, date] = [randomUuid(context), context.clock.timestamp()];
  dispatch(context, { id, event, authorId, date, subject, payload, placeIds });
}
