// Applies an update to a task: all of its parameters or none. A deleted task can only be restored.

import { type TaskUpdate, taskUpdateParameters } from '#contract/task.ts';
import { hasChanges } from '#contract/task-rules.ts';
import { forbidden } from '../http/error-response.ts';
import type { StoredTask } from '../state/store.ts';
import type { Draft, UpdateContext } from './draft.ts';
import { type Effect, effects } from './effects.ts';

// The rows have exactly the keys of an update. `restore` comes first: the other parameters change the restored task.
const names = Object.keys(taskUpdateParameters) as (keyof TaskUpdate)[];
const place = new Map(names.map((name, at) => [name, name === 'restore' ? -1 : at]));

/** The parameters of an update in the order of the rows. Most updates have one of them. */
function inOrder(update: TaskUpdate): readonly (keyof TaskUpdate)[] {
  const given = Object.keys(update) as (keyof TaskUpdate)[];
  return given
    .filter((name) => place.has(name))
    .sort((one, other) => (place.get(one) ?? 0) - (place.get(other) ?? 0));
}

function applyOne<P extends keyof TaskUpdate>(
  name: P,
  draft: Draft,
  update: TaskUpdate,
  context: UpdateContext,
): void {
  const effect: Effect<P> = effects[name];
  const value = update[name];
  if (value !== undefined) effect(draft, value, context, update, name);
}

/** Compares identity first: most fields are unchanged. A draft has every field of its task. */
function isSame(draft: Draft, task: StoredTask): boolean {
  let name: keyof StoredTask;
  for (name in draft) {
    if (draft[name] !== task[name] && !isEqual(draft[name], task[name])) return false;
  }
  return true;
}

const isEqual = (one: unknown, other: unknown) =>
  typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other);

/** The updated task, or `task` itself if nothing differs. Throws {@link ErrorResponse} without having changed anything. */
export function applyUpdate(task: StoredTask, update: TaskUpdate, context: UpdateContext): StoredTask {
  if (task.scope === 'RbTask' && update.restore !== true && hasChanges(update)) {
    throw forbidden(`Task ${task.id} is in the recycle bin`, 'deleted-task-update');
  }
  const draft: Draft = { ...task };
  for (const name of inOrder(update)) applyOne(name, draft, update, context);
  if (isSame(draft, task)) return task;
  draft.updatedDate = context.timestamp;
  return draft;
}
