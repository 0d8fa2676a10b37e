// Links a task to its parent tasks, and unlinks it: updates their lists of subtasks after the task was created or changed.

import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredTask } from '../state/store.ts';
import { added, removed } from './draft.ts';

export function updateSubtaskLists(store: Store, before: StoredTask, after: StoredTask): void {
  if (before.superTaskIds === after.superTaskIds) return;
  for (const superId of new Set([...before.superTaskIds, ...after.superTaskIds])) {
    const superTask = requireEntry(store.tasks, superId);
    const isLinked = after.superTaskIds.includes(superId);
    const subTaskIds = (isLinked ? added : removed)(superTask.subTaskIds, [after.id]);
    store.tasks.set(superId, { ...superTask, subTaskIds });
  }
}
