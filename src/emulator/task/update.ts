// Applies all parameters of an update to a task, or none. A deleted task can only be restored.

import { isTaskUpdateParameter, type TaskUpdate, taskUpdateParameterNames } from '#contract/task.ts';
import { hasChanges } from '#contract/task-rules.ts';
import { forbidden } from '../http/error-response.ts';
import type { StoredTask } from '../state/store.ts';
import { isSame } from './changes.ts';
import type { Draft, UpdateContext } from './draft.ts';
import { type Effect, effects } from './effects.ts';

// `restore` comes first: the other parameters change the restored task.
const positions = new Map<string, number>(
  taskUpdateParameterNames.map((name, index) => [name, name === 'restore' ? -1 : index]),
);

function inOrder(update: TaskUpdate): readonly (keyof TaskUpdate)[] {
  return Object.keys(update)
    .filter(isTaskUpdateParameter)
    .sort((a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0));
}

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

/** Returns the updated task, or `task` itself if nothing differs. Throws {@link ErrorResponse}. */
export function applyUpdate(task: StoredTask, update: TaskUpdate, context: UpdateContext): StoredTask {
  if (task.scope === 'RbTask' && update.restore !== true && hasChanges(update)) {
    throw forbidden(`Task ${task.id} is in the recycle bin`, 'deleted-task-update');
  }
  const draft: Draft = { ...task };
  for (const name of inOrder(update)) applyParameter(name, draft, update, context);
  if (isUnchanged(draft, task)) return task;
  draft.updatedDate = context.timestamp;
  return draft;
}
