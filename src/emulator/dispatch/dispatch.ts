// Dispatches an occurrence: adds a delivery for each webhook that covers its place, whose author may see it and whose filters match.

import { toPayload } from '#contract/payload.ts';
import type { ParameterisedEvent } from '#contract/webhook.ts';
import { canSeeFolder, canSeeTask, inheritedFolderIds, withAncestors } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredWebhook } from '../state/store.ts';
import { toEventDates } from '../task/changes.ts';
import type { Deliveries } from './deliveries.ts';
import type { Occurrence } from './occurrence.ts';

export interface DispatchContext {
  readonly store: Store;
  readonly deliveries: Pick<Deliveries, 'add'>;
  readonly settings: { readonly compact: boolean };
}

/** A webhook acts for its author, and delivers only what is shared with them. */
function authorCanSee(store: Store, webhook: StoredWebhook, { task, folder }: Occurrence): boolean {
  const author = requireEntry(store.users, webhook.authorId);
  if (task !== undefined) return canSeeTask(store, author, task);
  return folder === undefined || canSeeFolder(author, folder);
}

/** Variants that a receiver has to survive: the contract promises neither a single delivery of an event nor a body that is a list. */
interface DispatchForm {
  /** Sends each delivery a second time, with the same key. */
  readonly isDuplicated?: boolean;
  /** Sends the event without the list around it. */
  readonly isSingleObject?: boolean;
}

/** Returns the number of deliveries. */
export function dispatch(
  { store, deliveries, settings }: DispatchContext,
  occurrence: Occurrence,
  { isDuplicated = false, isSingleObject = false }: DispatchForm = {},
): number {
  if (store.webhooks.size === 0) return 0;
  const { task, folder, placeIds } = occurrence;
  const direct = folder === undefined ? placeIds : [folder.id, ...placeIds];
  const inherited = task === undefined ? [] : inheritedFolderIds(store, task);
  const places = withAncestors(store, [...direct, ...inherited]);
  const covers = ({ placeId, accountId, recursive }: StoredWebhook) => {
    if (placeId === undefined) return accountId === occurrence.accountId;
    return recursive ? places.has(placeId) : direct.includes(placeId);
  };
  let count = 0;
  for (const webhook of store.webhooks.values()) {
    if (webhook.status !== 'Active' || !covers(webhook)) continue;
    const fields = matchFilters(webhook, occurrence);
    if (fields === undefined || !authorCanSee(store, webhook, occurrence)) continue;
    const payload = buildPayload(occurrence, webhook.id, fields);
    const body = JSON.stringify(isSingleObject ? payload : [payload], null, settings.compact ? 0 : 2);
    for (let copy = 0; copy < (isDuplicated ? 2 : 1); copy++) {
      deliveries.add(webhook, occurrence, body);
      count++;
    }
  }
  return count;
}

function matchesEntry(entry: ParameterisedEvent, { event, task, payload }: Occurrence): boolean {
  if (entry.event !== event) return false;
  if (entry.recurrent !== undefined && entry.recurrent !== task?.recurrent) return false;
  const fieldId = payload['customFieldId'];
  return (
    entry.customFields === undefined || (typeof fieldId === 'string' && entry.customFields.includes(fieldId))
  );
}

/** The additional fields for the payload; undefined if the occurrence does not match the webhook's filters. */
function matchFilters(webhook: StoredWebhook, occurrence: Occurrence): readonly string[] | undefined {
  const { customItemTypes, events, parameterisedEvents } = webhook;
  if (customItemTypes !== undefined) {
    const type = occurrence.task?.customItemTypeId ?? occurrence.folder?.customItemTypeId;
    if (type === undefined || !customItemTypes.includes(type)) return undefined;
  }
  if ((events ?? parameterisedEvents) === undefined || events?.includes(occurrence.event)) return [];
  const entries = (parameterisedEvents ?? []).filter((entry) => matchesEntry(entry, occurrence));
  if (entries.length === 0) return undefined;
  return [...new Set(entries.flatMap(({ fields }) => fields ?? []))];
}

/** The members that `fields` may name, two of them in the form that the contract shows for events. */
const fieldsOf = ({ task, folder }: Occurrence): Readonly<Record<string, unknown>> =>
  task ? { ...task, dates: toEventDates(task.dates), recurrence: task.recurrent } : { ...folder };

function buildPayload(occurrence: Occurrence, webhookId: string, fields: readonly string[]): unknown {
  const { event, authorId, date, subjectId, payload } = occurrence;
  const common = { webhookId, authorId, date, subjectId };
  if (fields.length === 0) return toPayload(event, common, payload);
  const own = fieldsOf(occurrence);
  const additional = Object.fromEntries(fields.map((name) => [name, own[name] ?? null]));
  return toPayload(event, common, { ...payload, fields: additional });
}
