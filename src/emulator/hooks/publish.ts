// Tells the webhooks that something happened: finds those that listen there, may see it and want it, and hands each its
// payload for delivery.

import { seesFolder, seesTask, superParents, withAncestors } from '../access.ts';
import type { Store, StoredWebhook } from '../store.ts';
import type { Deliveries } from './deliveries.ts';
import type { Happening } from './happening.ts';
import { wanted } from './match.ts';
import { payloadFor } from './payload.ts';
import type { Registry } from './registry.ts';

/** Everything is told on behalf of the webhook's author, who learns only of what is shared with them. */
function sees(store: Store, hook: StoredWebhook, { task, folder }: Happening): boolean {
  const author = store.users.get(hook.authorId);
  if (author === undefined || author.deleted) return false;
  if (task !== undefined) return seesTask(store, author, task);
  return folder === undefined || seesFolder(author, folder);
}

/** How many webhooks it was handed to. */
export function publish(
  store: Store,
  registry: Registry,
  deliveries: Deliveries,
  happening: Happening,
): number {
  if (registry.isEmpty()) return 0;
  const { task, folder, placeIds } = happening;
  const direct = folder === undefined ? placeIds : [folder.id, ...placeIds];
  const inherited = task === undefined || task.superTaskIds.length === 0 ? [] : superParents(store, task);
  const above = withAncestors(store, [...direct, ...inherited]);
  let told = 0;
  for (const hook of registry.concerned(happening.accountId, direct, above, happening.event)) {
    if (hook.status !== 'Active') continue;
    const fields = wanted(hook, happening);
    if (fields === undefined || !sees(store, hook, happening)) continue;
    deliveries.add(hook, happening, JSON.stringify([payloadFor(happening, hook.id, fields)]));
    told++;
  }
  return told;
}
