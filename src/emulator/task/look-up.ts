// Finds what a parameter of a task update names, and refuses what is not there: people, folders, other tasks. Everything
// here throws the 400 that names the parameter, or the 403 where the thing is kept from the user.

import { seesFolder, seesTask } from '../access.ts';
import { invalidParameter, Refusal } from '../refusal.ts';
import type { Folder, StoredTask } from '../store.ts';
import type { Around } from './draft.ts';

const forbidden = (what: string) => new Refusal('access_forbidden', `Access to ${what} is denied`);

export function isUser({ store, account }: Around, id: string): boolean {
  const user = store.users.get(id);
  return user !== undefined && user.accountId === account.id && !user.deleted;
}

export function people(
  around: Around,
  parameter: string,
  ids: readonly string[],
  invitationsToo = true,
): void {
  for (const id of ids) {
    const invited = invitationsToo && around.store.invitations.get(id)?.accountId === around.account.id;
    if (!invited && !isUser(around, id))
      throw invalidParameter(parameter, `${id} is not a user of this account`);
  }
}

export function folders(around: Around, parameter: string, ids: readonly string[]): readonly Folder[] {
  return ids.map((id) => {
    const folder = around.store.folders.get(id);
    if (folder === undefined || folder.accountId !== around.account.id) {
      throw invalidParameter(parameter, `${id} is not a folder of this account`);
    }
    if (folder.kind === 'bin') throw invalidParameter(parameter, `${id} is the recycle bin`);
    if (!seesFolder(around.user, folder)) throw forbidden(`folder ${id}`);
    return folder;
  });
}

export function tasks(around: Around, parameter: string, ids: readonly string[]): readonly StoredTask[] {
  return ids.map((id) => {
    const task = around.store.tasks.get(id);
    if (task === undefined || task.accountId !== around.account.id || task.scope === 'RbTask') {
      throw invalidParameter(parameter, `${id} is not a task of this account`);
    }
    if (!seesTask(around.store, around.user, task)) throw forbidden(`task ${id}`);
    return task;
  });
}

/** Something of a map that belongs to the account. */
export function owned<T extends { readonly accountId: string }>(
  around: Around,
  parameter: string,
  what: string,
  all: ReadonlyMap<string, T>,
  id: string,
): T {
  const found = all.get(id);
  if (found === undefined || found.accountId !== around.account.id) {
    throw invalidParameter(parameter, `${id} is not ${what} of this account`);
  }
  return found;
}
