// Creates a task in a folder, at the end of the list.

import type { World } from '#world/world.ts';
import { defaults } from '../state/default-members.ts';
import type { Folder, Store, StoredTask } from '../state/store.ts';
import { keyAfter } from './priority.ts';
import { newId } from './urls.ts';

export function lastPriority({ tasks }: Store, accountId: string): string {
  return tasks.get(tasks.idsIn(accountId).at(-1) ?? '')?.priority ?? '';
}

/** `date`: a timestamp. `previousPriority`: of the task before it. */
export function createTaskIn(
  service: Pick<World, 'randomBytes'> & { readonly store: Store },
  folder: Folder,
  authorId: string,
  date: string,
  title: string,
  previousPriority: string,
): StoredTask {
  const { store } = service;
  const { accountId } = folder;
  const workflows = [...store.workflows.values()].filter((row) => row.accountId === accountId);
  const workflow = workflows.findLast(({ standard }) => standard);
  if (workflow === undefined) throw new Error(`The emulator has no entry ${accountId}`);
  return {
    ...defaults.tasks,
    id: newId(service, accountId, 'KQ', store.tasks),
    accountId,
    title,
    status: 'Active',
    customStatusId: workflow.statuses[0].id,
    createdDate: date,
    updatedDate: date,
    parentIds: [folder.id],
    authorIds: [authorId],
    // In a private folder, the author alone.
    sharedIds: folder.sharedIds.includes(authorId) ? folder.sharedIds : [...folder.sharedIds, authorId],
    followerIds: [authorId],
    priority: keyAfter(previousPriority),
  };
}
