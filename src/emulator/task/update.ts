// Applies all parameters of an update to a task, or none, and stores it. A deleted task can only be restored.

import { type TaskUpdate, taskUpdateParameterNames } from '#contract/task.ts';
import { hasChanges } from '#contract/task-rules.ts';
import { forbidden } from '../http/error-response.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredTask } from '../state/store.ts';
import { isSame } from './changes.ts';
import { added, type Draft, removed, type UpdateContext } from './draft.ts';
import { type Effect, effects } from './effects.ts';

// `restore` comes first: the other parameters change the restored task.
const orderedNames = [...new Set(['restore' as const, ...taskUpdateParameterNames])];

function applyParameter<P extends keyof TaskUpdate>(
  name: P,
  draft: Draft,
  update: TaskUpdate,
  context: UpdateContext,
): void {
  const effect: Effect<P> = effects[name];
  const value = update[name];
  if (value !== undefined) effect(draft, value, context, update, name);
}

/** A draft has every field of its task. */
function isUnchanged(draft: Draft, task: StoredTask): boolean {
  let name: keyof StoredTask;
  for (name in draft) if (!isSame(draft[name], task[name])) return false;
  return true;
}

/** Stores a task that was created or changed, and links it to its parent tasks: updates their lists of subtasks. */
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

/** Returns the updated task, or `task` itself if nothing differs. Throws {@link ErrorResponse}. */
export function applyUpdate(task: StoredTask, update: TaskUpdate, context: UpdateContext): StoredTask {
  if (task.scope === 'RbTask' && update.restore !== true && hasChanges(update)) {
    throw forbidden(`Task ${task.id} is in the recycle bin`, 'deleted-task-update');
  }
  const draft: Draft = { ...task };
  for (const name of orderedNames) applyParameter(name, draft, update, context);
  if (isUnchanged(draft, task)) return task;
  draft.updatedDate = context.timestamp;
  return draft;
}
