// Applies an update to a task: all of its parameters or none. A deleted task can only be restored.

import { formatTimestamp } from '../../contract/date.ts';
import { type TaskUpdate, taskUpdateParameters } from '../../contract/task.ts';
import { hasChanges } from '../../contract/task-rules.ts';
import { ErrorResponse } from '../http/error-response.ts';
import type { StoredTask } from '../state/store.ts';
import type { Draft, UpdateContext } from './draft.ts';
import { type Effect, effects } from './effects.ts';

// The rows have exactly the keys of an update. `restore` comes first: the other parameters change the restored task.
const order = (Object.keys(taskUpdateParameters) as (keyof TaskUpdate)[]).sort(
  (a, b) => Number(b === 'restore') - Number(a === 'restore'),
);

function applyOne<P extends keyof TaskUpdate>(
  name: P,
  draft: Draft,
  update: TaskUpdate,
  context: UpdateContext,
): void {
  const effect: Effect<P> = effects[name];
  const value = update[name];
  if (value !== undefined) effect(draft, value, context, update);
}

/** Compares identity first: most fields are unchanged. A draft has every field of its task. */
function isSame(draft: Draft, task: StoredTask): boolean {
  let name: keyof StoredTask;
  for (name in draft) {
    if (draft[name] !== task[name] && JSON.stringify(draft[name]) !== JSON.stringify(task[name]))
      return false;
  }
  return true;
}

/** The updated task, or `task` itself if nothing differs. Throws {@link ErrorResponse} without having changed anything. */
export function applyUpdate(task: StoredTask, update: TaskUpdate, context: UpdateContext): StoredTask {
  if (task.scope === 'RbTask' && update.restore !== true && hasChanges(update)) {
    throw new ErrorResponse('access_forbidden', `Task ${task.id} is in the recycle bin`, {
      because: 'deleted-task-update',
    });
  }
  const draft: Draft = { ...task };
  for (const name of order) applyOne(name, draft, update, context);
  if (isSame(draft, task)) return task;
  draft.updatedDate = formatTimestamp(context.now);
  return draft;
}
