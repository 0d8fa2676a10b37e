// Applies an update to a task: all of its parameters or none. A deleted task takes only its restoring.

import { formatTimestamp } from '../../contract/date.ts';
import { type TaskUpdate, taskUpdateParameters } from '../../contract/task.ts';
import { hasChanges } from '../../contract/task-rules.ts';
import { ErrorResponse } from '../http/error-response.ts';
import type { StoredTask } from '../state/store.ts';
import type { Draft, UpdateContext } from './draft.ts';
import { type Effect, effects } from './effects.ts';

// The rows are written with exactly the keys of an update. Restoring comes first: what it brings back is what the other
// parameters then change.
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
  if (value !== undefined && value !== null) effect(draft, value, context, update);
}

/** Most of a task is untouched, and then the very same value; a draft has every member of its task. */
function isSame(draft: Draft, task: StoredTask): boolean {
  let name: keyof StoredTask;
  for (name in draft) {
    if (draft[name] !== task[name] && JSON.stringify(draft[name]) !== JSON.stringify(task[name]))
      return false;
  }
  return true;
}

/** The task after the update; `task` itself where nothing is different. Throws Refusal, and then nothing has changed. */
export function applyUpdate(task: StoredTask, update: TaskUpdate, context: UpdateContext): StoredTask {
  if (task.scope === 'RbTask' && update.restore !== true && hasChanges(update)) {
    throw new ErrorResponse('access_forbidden', `Task ${task.id} is in the recycle bin`);
  }
  const draft: Draft = { ...task };
  const given = new Set(Object.keys(update));
  for (const name of order) if (given.has(name)) applyOne(name, draft, update, context);
  if (isSame(draft, task)) return task;
  draft.updatedDate = formatTimestamp(context.now);
  return draft;
}
