// Finds the users, folders and tasks that a parameter of a task update names. Throws a 400 with the name of the parameter for a
// missing record, and a 403 if the user may not see it.

import { forbidden, invalidParameter } from '../http/error-response.ts';
import { canSeeFolder, canSeeTask, isInBin } from '../state/access.ts';
import type { StoredTask } from '../state/store.ts';
import type { UpdateContext } from './apply-effects.ts';

export function isUser({ store, account }: UpdateContext, id: string): boolean {
  const user = store.users.get(id);
  return user !== undefined && user.accountId === account.id && !user.deleted;
}

/** Users to remove from a list of the task. They may have left the account. */
export function requireFormerUsers(context: UpdateContext, parameter: string, ids: readonly string[]): void {
  const present = ids.filter((id) => {
    const user = context.store.users.get(id);
    return user?.accountId !== context.account.id || !user.deleted;
  });
  if (present.length < ids.length) context.assume('former-user');
  requireUsers(context, parameter, present);
}

/** Users of the account, or people invited to it. */
export function requireUsers(context: UpdateContext, parameter: string, ids: readonly string[]): void {
  const { store, account } = context;
  const members = ids.filter((id) => store.invitations.get(id)?.accountId !== account.id);
  requireMembers(context, parameter, members);
}

const withoutGroups = ({ store, account }: UpdateContext, ids: readonly string[]) =>
  ids.filter((id) => store.groups.get(id)?.accountId !== account.id);
/** The same for a list that may also have groups of the account. */
export const requireSharers: typeof requireUsers = (context, parameter, ids) =>
  requireUsers(context, parameter, withoutGroups(context, ids));
export const requireFormerSharers: typeof requireUsers = (context, parameter, ids) =>
  requireFormerUsers(context, parameter, withoutGroups(context, ids));

export function requireMembers(context: UpdateContext, parameter: string, ids: readonly string[]): void {
  for (const id of ids) {
    if (isUser(context, id)) continue;
    const because = context.store.users.get(id)?.deleted ? 'former-user' : 'unresolved-id';
    throw invalidParameter(parameter, `${id} is not a user of this account`, because);
  }
}

export function requireFolders(context: UpdateContext, parameter: string, ids: readonly string[]) {
  return ids.map((id) => {
    const folder = requireOwned(context, parameter, 'a folder', context.store.folders, id);
    if (folder.kind === 'bin') throw invalidParameter(parameter, `${id} is the recycle bin`, 'stated');
    if (!canSeeFolder(context.user, folder)) throw forbidden(`Access to folder ${id} is denied`);
    return folder;
  });
}

export function requireParentFolders(context: UpdateContext, parameter: string, ids: readonly string[]) {
  const folders = requireFolders(context, parameter, ids);
  const deleted = folders.find((folder) => isInBin(context.store, folder));
  if (deleted !== undefined) throw forbidden(`Folder ${deleted.id} is in the recycle bin`, 'change-folder');
  return folders;
}

export function requireTask(context: UpdateContext, parameter: string, id: string): StoredTask {
  const task = requireOwned(context, parameter, 'a task', context.store.tasks, id);
  if (task.scope === 'RbTask') throw unresolved(parameter, 'a task', id);
  if (!canSeeTask(context.store, context.user, task)) throw forbidden(`Access to task ${id} is denied`);
  return task;
}

export function requireOwned<T extends { readonly accountId: string }>(
  context: UpdateContext,
  parameter: string,
  typeName: string,
  records: ReadonlyMap<string, T>,
  id: string,
): T {
  const record = records.get(id);
  if (record?.accountId !== context.account.id) throw unresolved(parameter, typeName, id);
  return record;
}

/** A custom status of a workflow of the account. */
export function requireStatus({ store, account }: UpdateContext, parameter: string, id: string) {
  for (const { accountId, statuses } of store.workflows.values()) {
    const status = accountId === account.id ? statuses.find((row) => row.id === id) : undefined;
    if (status !== undefined) return status;
  }
  throw unresolved(parameter, 'a status of a workflow', id);
}

const unresolved = (parameter: string, typeName: string, id: string) =>
  invalidParameter(parameter, `${id} is not ${typeName} of this account`, 'unresolved-id');
