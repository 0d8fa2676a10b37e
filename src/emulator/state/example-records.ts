// Finds example records: those of the sample, or else the first of their kind.

import { sample } from './sample-ids.ts';
import type { Folder, Store, StoredTask, User } from './store.ts';

export function findTask({ tasks }: Pick<Store, 'tasks'>): StoredTask | undefined {
  return tasks.get(sample.task) ?? [...tasks.values()].find(({ scope }) => scope === 'WsTask');
}

const sampleFolders: Partial<Readonly<Record<Folder['kind'], string>>> = {
  folder: sample.folder,
  project: sample.project,
  space: sample.space,
};

export function findFolder({ folders }: Pick<Store, 'folders'>, kind: Folder['kind']): Folder | undefined {
  return (
    folders.get(sampleFolders[kind] ?? '') ?? [...folders.values()].find((folder) => folder.kind === kind)
  );
}

export function findTaskFolder(store: Pick<Store, 'folders'>): Folder | undefined {
  const kinds = ['folder', 'project', 'space', 'root'] as const;
  return kinds.map((kind) => findFolder(store, kind)).find((folder) => folder !== undefined);
}

export function findAuthor({ users }: Pick<Store, 'users'>, accountId: string): User | undefined {
  const ada = users.get(sample.ada);
  if (ada?.accountId === accountId) return ada;
  const members = [...users.values()].filter((user) => user.accountId === accountId && !user.deleted);
  return members.find(({ admin }) => admin) ?? members[0];
}
