// Which tasks and folders a user can see, and the folders above a task or folder.

import { forbidden, notFound } from '../http/error-response.ts';
import { requireEntry } from './require-entry.ts';
import type { Folder, Store, StoredTask, User } from './store.ts';

/** These folders and all their ancestors. */
export function withAncestors(store: Store, folderIds: readonly string[]): ReadonlySet<string> {
  const found = new Set(folderIds);
  // The loop also visits what it adds.
  for (const id of found) for (const above of requireEntry(store.folders, id).parentIds) found.add(above);
  return found;
}

/** Whether the folder was deleted, itself or with one above it. */
export function isInBin(store: Store, { accountId, parentIds }: Folder): boolean {
  const { recycleBinId, rootFolderId } = requireEntry(store.accounts, accountId);
  const above = withAncestors(store, parentIds);
  return above.has(recycleBinId) && !above.has(rootFolderId);
}

const none: readonly string[] = [];

/** The folders that a subtask inherits from its parent tasks. */
export function inheritedFolderIds(store: Store, task: StoredTask): readonly string[] {
  if (task.superTaskIds.length === 0) return none;
  const above = new Set(task.superTaskIds);
  const found = new Set<string>();
  // The loop also visits what it adds.
  for (const id of above) {
    const { parentIds, superTaskIds } = requireEntry(store.tasks, id);
    for (const folderId of parentIds) found.add(folderId);
    for (const superTaskId of superTaskIds) above.add(superTaskId);
  }
  return [...found];
}

export function canSeeFolder(user: User, folder: Folder): boolean {
  return (
    folder.accountId === user.accountId &&
    folder.sharedIds.includes(user.id) &&
    !user.denied.includes(folder.id)
  );
}

export function canSeeTask(store: Store, user: User, task: StoredTask): boolean {
  if (task.accountId !== user.accountId || user.denied.includes(task.id)) return false;
  if (user.denied.length > 0 && task.parentIds.some((id) => user.denied.includes(id))) return false;
  if (
    task.sharedIds.includes(user.id) ||
    task.responsibleIds.includes(user.id) ||
    task.authorIds.includes(user.id)
  ) {
    return true;
  }
  return task.parentIds.some((id) => {
    const folder = store.folders.get(id);
    return (
      folder !== undefined && folder.kind !== 'bin' && folder.kind !== 'root' && canSeeFolder(user, folder)
    );
  });
}

/** Who wants to see a record. */
export interface Viewer {
  readonly store: Store;
  readonly user: User;
}

/** The record of the user's account. Throws {@link ErrorResponse}. `found`: the record with this id, if there is one. */
export function requireOwn<T extends { readonly accountId: string }>(
  { user }: Pick<Viewer, 'user'>,
  what: string,
  id: string,
  found: T | undefined,
): T {
  if (found === undefined) throw notFound(what, id);
  if (found.accountId !== user.accountId) throw notFound(what, id, 'other-account');
  return found;
}

/** The task with this id. Throws {@link ErrorResponse}: 404 if this account has none, 403 if the user may not see it. */
export function requireTask({ store, user }: Viewer, id: string): StoredTask {
  const task = requireOwn({ user }, 'Task', id, store.tasks.get(id));
  if (!canSeeTask(store, user, task)) throw forbidden(`Access to task ${id} is denied`);
  return task;
}

/** The folder, project or space with this id; throws like {@link requireTask}. */
export function requireFolder(
  { store, user }: Viewer,
  id: string,
  kind: 'folder' | 'space' = 'folder',
): Folder {
  const found = store.folders.get(id);
  const isSpace = kind === 'space';
  const ofKind = isSpace && found?.kind !== 'space' ? undefined : found;
  const folder = requireOwn({ user }, isSpace ? 'Space' : 'Folder', id, ofKind);
  if (!canSeeFolder(user, folder)) throw forbidden(`Access to ${kind} ${id} is denied`);
  return folder;
}
