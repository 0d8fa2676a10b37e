// Dispatches an occurrence: finds the webhooks that listen where it happened, whose author may see it and whose filters
// match, and adds a delivery for each.

import { toPayload } from '#contract/payload.ts';
import type { ParameterisedEvent } from '#contract/webhook.ts';
import { canSeeFolder, canSeeTask, inheritedFolderIds, withAncestors } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredWebhook } from '../state/store.ts';
import { toEventDates } from '../task/changes.ts';
import type { Deliveries } from './deliveries.ts';
import type { Occurrence } from './occurrence.ts';
import type { WebhookRegistry } from './registry.ts';

export interface DispatchContext {
  readonly store: Store;
  readonly registry: WebhookRegistry;
  readonly deliveries: Pick<Deliveries, 'add'>;
  readonly settings: { readonly compact: boolean };
}

/** A webhook acts for its author, and delivers only what is shared with them. */
function authorCanSee(store: Store, webhook: StoredWebhook, { task, folder }: Occurrence): boolean {
  const author = requireEntry(store.users, webhook.authorId);
  if (task !== undefined) return canSeeTask(store, author, task);
  return folder === undefined || canSeeFolder(author, folder);
}

/** What a receiver has to survive: the contract promises neither that an event comes once nor that its body is a list. */
export interface DispatchForm {
  /** Each delivery is sent a second time, with the same key. */
  readonly isDuplicated?: boolean;
  /** The event without the list around it. */
  readonly isSingleObject?: boolean;
}

/** The number of deliveries. */
export function dispatch(
  { store, registry, deliveries, settings }: DispatchContext,
  occurrence: Occurrence,
  { isDuplicated = false, isSingleObject = false }: DispatchForm = {},
): number {
  if (registry.isEmpty()) return 0;
  const { task, folder, placeIds } = occurrence;
  const direct = folder === undefined ? placeIds : [folder.id, ...placeIds];
  const inherited =
    task === undefined || task.superTaskIds.length === 0 ? [] : inheritedFolderIds(store, task);
  const above = withAncestors(store, [...direct, ...inherited]);
  let count = 0;
  for (const webhook of registry.find(occurrence.accountId, direct, above, occurrence.event)) {
    if (webhook.status !== 'Active') continue;
    const fields = matchFilters(webhook, occurrence);
    if (fields === undefined || !authorCanSee(store, webhook, occurrence)) continue;
    const payload = buildPayload(occurrence, webhook.id, fields);
    const body = JSON.stringify(isSingleObject ? payload : [payload], null, settings.compact ? 0 : 2);
    for (let sent = 0; sent < (isDuplicated ? 2 : 1); sent++) {
      deliveries.add(webhook, occurrence, body);
      count++;
    }
  }
  return count;
}

function matchesEntry(entry: ParameterisedEvent, { event, task, payload }: Occurrence): boolean {
  if (entry.event !== event) return false;
  if (entry.recurrent !== undefined && entry.recurrent !== task?.recurrent) return false;
  const changed = payload['customFieldId'];
  return (
    entry.customFields === undefined || (typeof changed === 'string' && entry.customFields.includes(changed))
  );
}

/** The additional fields for the payload; undefined if the occurrence does not match the filters of the webhook. */
function matchFilters(webhook: StoredWebhook, occurrence: Occurrence): readonly string[] | undefined {
  const { customItemTypes, events, parameterisedEvents } = webhook;
  if (customItemTypes !== undefined) {
    const type = occurrence.task?.customItemTypeId ?? occurrence.folder?.customItemTypeId;
    if (type === undefined || !customItemTypes.includes(type)) return undefined;
  }
  if (parameterisedEvents === undefined || events?.includes(occurrence.event)) return [];
  const entries = parameterisedEvents.filter((entry) => matchesEntry(entry, occurrence));
  if (entries.length === 0) return undefined;
  return [...new Set(entries.flatMap(({ fields }) => fields ?? []))];
}

/** The members that `fields` may name: the record's own, unless the contract shows another name or form. */
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
