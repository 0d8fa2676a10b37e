// Dispatches an occurrence: finds the webhooks that listen where it happened, whose author may see it and whose filters
// match, and adds a delivery for each.

import { canSeeFolder, canSeeTask, inheritedFolderIds, withAncestors } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredWebhook } from '../state/store.ts';
import type { Deliveries } from './deliveries.ts';
import { matchFilters } from './filter.ts';
import type { Occurrence } from './occurrence.ts';
import { buildPayload } from './payload.ts';
import type { WebhookRegistry } from './registry.ts';

export interface DispatchContext {
  readonly store: Store;
  readonly registry: WebhookRegistry;
  readonly deliveries: Pick<Deliveries, 'add'>;
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
  { store, registry, deliveries }: DispatchContext,
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
    const body = JSON.stringify(isSingleObject ? payload : [payload]);
    for (let sent = 0; sent < (isDuplicated ? 2 : 1); sent++) {
      deliveries.add(webhook, occurrence, body);
      count++;
    }
  }
  return count;
}
