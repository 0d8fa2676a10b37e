// Finds example records: those of the sample, or else the first of their kind.

import { sample } from './sample-ids.ts';
import type { Folder, Store, StoredTask, User } from './store.ts';

export function findTask({ tasks }: Pick<Store, 'tasks'>): StoredTask | undefined {
  return tasks.get(sample.task) ?? [...tasks.values()].find(({ scope }) => scope === 'WsTask');
}

type SampleFolder = 'folder' | 'project' | 'space';

const firstOf = ({ folders }: Pick<Store, 'folders'>, kind: Folder['kind']) =>
  [...folders.values()].find((folder) => folder.kind === kind);

export const findFolder = (store: Pick<Store, 'folders'>, kind: SampleFolder) =>
  store.folders.get(sample[kind]) ?? firstOf(store, kind);

export const findTaskFolder = (store: Pick<Store, 'folders'>) =>
  findFolder(store, 'folder') ??
  findFolder(store, 'project') ??
  findFolder(store, 'space') ??
  firstOf(store, 'root');

export function findAuthor({ users }: Pick<Store, 'users'>, accountId: string): User | undefined {
  const ada = users.get(sample.ada);
  if (ada?.accountId === accountId) return ada;
  const members = [...users.values()].filter((user) => user.accountId === accountId && !user.deleted);
  return members.find(({ admin }) => admin) ?? members[0];
}
