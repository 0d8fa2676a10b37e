// Finds records, and the folders above a task or folder; checks which tasks and folders a user can see.

import { type Because, forbidden, notFound } from '../http/error-response.ts';
import type { Folder, Store, StoredTask, StoredWebhook, User } from './store.ts';

/** These ids, and all that `next` leads to from them. */
export function reachable<T>(ids: Iterable<T>, next: (id: T) => Iterable<T>): ReadonlySet<T> {
  const reached = new Set(ids);
  // The loop also visits the ids that it adds.
  for (const id of reached) for (const other of next(id)) reached.add(other);
  return reached;
}

export const withAncestors = (store: Store, folderIds: readonly string[]): ReadonlySet<string> =>
  reachable(folderIds, (id) => requireEntry(store.folders, id).parentIds);

export function isInBin(store: Store, { accountId, parentIds }: Folder): boolean {
  const { recycleBinId, rootFolderId } = requireEntry(store.accounts, accountId);
  const ancestors = withAncestors(store, parentIds);
  return ancestors.has(recycleBinId) && !ancestors.has(rootFolderId);
}

/** The folders that are not in the recycle bin, where a restored record comes back; without any, the root. */
export function outsideBin(store: Store, accountId: string, folderIds: readonly string[]): readonly string[] {
  const { rootFolderId } = requireEntry(store.accounts, accountId);
  const living = folderIds.filter((id) => withAncestors(store, [id]).has(rootFolderId));
  return living.length > 0 ? living : [rootFolderId];
}

/** The folders that a subtask inherits from its parent tasks. */
export function inheritedFolderIds(store: Store, task: StoredTask): readonly string[] {
  if (task.superTaskIds.length === 0) return [];
  const ancestorIds = reachable(task.superTaskIds, (id) => requireEntry(store.tasks, id).superTaskIds);
  const living = [...ancestorIds]
    .map((id) => requireEntry(store.tasks, id))
    .filter(({ scope }) => scope === 'WsTask');
  return [...new Set(living.flatMap(({ parentIds }) => parentIds))];
}

export function canSeeFolder({ id, accountId, denied }: User, folder: Folder): boolean {
  return folder.accountId === accountId && folder.sharedIds.includes(id) && !denied.includes(folder.id);
}

export function canSeeTask(store: Store, user: User, task: StoredTask): boolean {
  const { parentIds, sharedIds, responsibleIds, authorIds } = task;
  const { id, denied } = user;
  if (task.accountId !== user.accountId || denied.includes(task.id)) return false;
  if (denied.length > 0 && parentIds.some((parentId) => denied.includes(parentId))) return false;
  if (sharedIds.includes(id) || responsibleIds.includes(id) || authorIds.includes(id)) return true;
  return parentIds.some((parentId) => {
    const folder = store.folders.get(parentId);
    if (folder === undefined || folder.kind === 'bin' || folder.kind === 'root') return false;
    return canSeeFolder(user, folder);
  });
}

/** What an event, a comment or an attachment is about. */
export type Subject = StoredTask | Folder;

export const isTask = (subject: Subject): subject is StoredTask => 'superTaskIds' in subject;

export const findSubject = ({ tasks, folders }: Store, id: string) => tasks.get(id) ?? folders.get(id);

export const canSeeSubject = (store: Store, user: User, subject: Subject): boolean =>
  isTask(subject) ? canSeeTask(store, user, subject) : canSeeFolder(user, subject);

/** The folder or space of a webhook; undefined for the whole account. */
export const placeIdOf = ({ folderId, spaceId }: StoredWebhook): string | undefined => folderId ?? spaceId;

export interface Viewer {
  readonly store: Store;
  readonly user: User;
}

/** For a record that others refer to. These are never removed; if one is missing from an edited data file, the request fails. */
export function requireEntry<T>(entries: ReadonlyMap<string, T>, key: string): T {
  const entry = entries.get(key);
  if (entry === undefined) throw new Error(`The emulator has no entry ${key}`);
  return entry;
}

/** `type`: what the error calls the record. @throws {ErrorResponse} if the record does not exist. */
export function requireRecord<T>(
  records: ReadonlyMap<string, T>,
  type: string,
  id: string,
  because: Because = 'stated',
): T {
  const record = records.get(id);
  if (record === undefined) throw notFound(type, id, because);
  return record;
}

/** Like {@link requireRecord}; also throws if the record belongs to another account. */
export function requireOwn<T extends { readonly accountId: string }>(
  { user }: Pick<Viewer, 'user'>,
  records: ReadonlyMap<string, T>,
  type: string,
  id: string,
): T {
  const record = requireRecord(records, type, id);
  if (record.accountId !== user.accountId) throw notFound(type, id, 'other-account');
  return record;
}

/** Throws {@link ErrorResponse}: 404 if the account has no such task, 403 if the user may not see it. */
export function requireTask({ store, user }: Viewer, id: string): StoredTask {
  const task = requireOwn({ user }, store.tasks, 'Task', id);
  if (!canSeeTask(store, user, task)) throw forbidden(`Access to task ${id} is denied`);
  return task;
}

/** A folder, project or space. Throws like {@link requireTask}. */
export function requireFolder({ store, user }: Viewer, id: string, kind: 'folder' | 'space' = 'folder') {
  if (kind === 'space' && store.folders.get(id)?.kind !== 'space') throw notFound('Space', id);
  const folder = requireOwn({ user }, store.folders, kind === 'space' ? 'Space' : 'Folder', id);
  if (!canSeeFolder(user, folder)) throw forbidden(`Access to ${kind} ${id} is denied`);
  return folder;
}
