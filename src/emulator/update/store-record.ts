// Stores a task or folder that was created or changed, with what follows from it: the lists of subtasks and of folders.

import { requireEntry } from '../state/require-entry.ts';
import type { Folder, Store, StoredTask } from '../state/store.ts';
import { added, removed } from './draft.ts';

/** Links the task to its parent tasks: updates their lists of subtasks. */
export function storeTask(store: Store, before: StoredTask, after: StoredTask): void {
  store.tasks.set(after.id, after);
  if (before.superTaskIds === after.superTaskIds) return;
  for (const superId of new Set([...before.superTaskIds, ...after.superTaskIds])) {
    const superTask = requireEntry(store.tasks, superId);
    const isLinked = after.superTaskIds.includes(superId);
    const subTaskIds = (isLinked ? added : removed)(superTask.subTaskIds, [after.id]);
    store.tasks.set(superId, { ...superTask, subTaskIds });
  }
}

export function storeFolder(store: Store, folder: Folder): void {
  store.folders.set(folder.id, folder);
  store.tasks.noteAllChanged();
}
