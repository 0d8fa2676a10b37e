// The records that stand for any: those of the sample, or the first ones of data that does not have them.

import { sample } from './sample-ids.ts';
import type { Folder, Store, StoredTask, User } from './store.ts';

export function findTask({ tasks }: Pick<Store, 'tasks'>): StoredTask | undefined {
  return tasks.get(sample.task) ?? [...tasks.values()].find(({ scope }) => scope === 'WsTask');
}

const sampleOf: Partial<Readonly<Record<Folder['kind'], string>>> = {
  folder: sample.folder,
  project: sample.project,
  space: sample.space,
};

export function findFolder({ folders }: Pick<Store, 'folders'>, kind: Folder['kind']): Folder | undefined {
  return folders.get(sampleOf[kind] ?? '') ?? [...folders.values()].find((folder) => folder.kind === kind);
}

/** A folder, or the closest to one, in which tasks may be. */
export function findTaskFolder(store: Pick<Store, 'folders'>): Folder | undefined {
  for (const kind of ['folder', 'project', 'space', 'root'] as const) {
    const found = findFolder(store, kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Ada, or else an administrator of the account. */
export function findAuthor({ users }: Pick<Store, 'users'>, accountId: string): User | undefined {
  const ada = users.get(sample.ada);
  const all = [...users.values()].filter((user) => user.accountId === accountId && !user.deleted);
  return ada?.accountId === accountId ? ada : (all.find(({ admin }) => admin) ?? all[0]);
}
