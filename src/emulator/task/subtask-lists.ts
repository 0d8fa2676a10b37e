// Keeps the lists of subtasks, which stand with the tasks above, in step with a task that is new or was changed.

import type { Store, StoredTask } from '../state/store.ts';
import { added, removed } from './draft.ts';

export function updateSubtaskLists(store: Store, before: StoredTask, after: StoredTask): void {
  if (before.superTaskIds === after.superTaskIds) return;
  for (const superId of new Set([...before.superTaskIds, ...after.superTaskIds])) {
    const above = store.tasks.get(superId);
    if (above === undefined) continue;
    const hangs = after.superTaskIds.includes(superId);
    const subTaskIds = (hangs ? added : removed)(above.subTaskIds, [after.id]);
    store.tasks.set(superId, { ...above, subTaskIds });
  }
}
