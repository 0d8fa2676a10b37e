// Stores a task that was created or changed, and links it to its parent tasks: updates their lists of subtasks.

import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredTask } from '../state/store.ts';
import { added, removed } from './draft.ts';

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
