// Dispatches an occurrence: adds a delivery for each webhook that covers its place, whose author may see it and whose filters match.

import { toPayload } from '#contract/payload.ts';
import type { ParameterisedEvent } from '#contract/webhook-create.ts';
import { canSeeSubject, inheritedFolderIds, isTask, placeIdOf, withAncestors } from '../state/access.ts';
import type { DeliveryVariant } from '../state/delivery.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredWebhook } from '../state/store.ts';
import { toEventDates } from '../update/changes.ts';
import type { Deliveries } from './deliveries.ts';
import type { Occurrence } from './occurrence.ts';

export interface DispatchContext {
  readonly store: Store;
  readonly deliveries: Pick<Deliveries, 'add'>;
  readonly settings: { readonly compact: boolean };
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

/** The members that `fields` may name, two of them in the form that the contract shows for events. */
function fieldsOf({ subject }: Occurrence): Readonly<Record<string, unknown>> {
  if (!isTask(subject)) return { ...subject };
  return { ...subject, dates: toEventDates(subject.dates), recurrence: subject.recurrent };
}

function buildPayload(occurrence: Occurrence, webhookId: string, fields: readonly string[]): unknown {
  const { event, authorId, date, subject, payload } = occurrence;
  const common = { webhookId, authorId, date, subjectId: subject.id };
  if (fields.length === 0) return toPayload(event, common, payload);
  const own = fieldsOf(occurrence);
  const additional = Object.fromEntries(fields.map((name) => [name, own[name] ?? null]));
  return toPayload(event, common, { ...payload, fields: additional });
}
