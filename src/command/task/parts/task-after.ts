// The task as updates have left it: what the responses to them have shown, and for the rest what the updates themselves
// tell. Undo compares it with the task as it is now, so another person's change shows.

import { fieldOnRequest, type Task, type TaskUpdate } from '../../../contract/task.ts';
import { partsChangedBy } from './changed-parts.ts';
import { isSame, type Part, type TaskMember, type TaskValues } from './part.ts';

export interface Step {
  readonly sent: TaskUpdate;
  /** What was shown after it; absent where no response came, and in the log of an older version. */
  readonly left?: TaskValues;
}

export interface TaskAfter {
  readonly left: Task;
  /** Every part that one of the steps changed, as the last of them changed it. */
  readonly parts: readonly Part[];
  /** True where `left` is what the service has shown of this part, or what the update alone tells for certain. */
  isKnown(part: Part): boolean;
}

export function taskAfter(before: Task, steps: readonly Step[]): TaskAfter {
  const parts = new Map<string, Part>();
  const known = new Set<string>();
  let left = before;
  for (const { sent, left: shown = {} } of steps) {
    for (const [name, part] of partsChangedBy(sent)) {
      left = part.apply(left);
      parts.set(name, part);
      if (isShown(part, shown)) known.add(name);
      else known.delete(name);
    }
    left = { ...left, ...shown };
  }
  return { left, parts: [...parts.values()], isKnown: ({ name }) => known.has(name) };
}

/** A part that no member shows stands in the update itself. */
function isShown({ members }: Part, shown: TaskValues): boolean {
  return members.length === 0 || members.some((name) => name !== 'id' && shown[name] !== undefined);
}

const onRequest: readonly string[] = fieldOnRequest.choices ?? [];

function membersOf(update: TaskUpdate): ReadonlySet<TaskMember> {
  return new Set([...partsChangedBy(update).values()].flatMap(({ members }) => members));
}

/** What a response to the update, or the task as it was read back, shows of the parts that it changed. */
export function valuesAfter(update: TaskUpdate, task: Task, source: 'response' | 'read back'): TaskValues {
  const names = [...membersOf(update)].filter((name) => source === 'read back' || !isAltered(name, update));
  return Object.fromEntries(
    names.filter((name) => task[name] !== undefined).map((name) => [name, task[name]]),
  );
}

/** Not as the task has it: the update has asked for it otherwise. */
function isAltered(name: TaskMember, { plainTextCustomFields }: TaskUpdate): boolean {
  return name === 'customFields' && plainTextCustomFields === true;
}

/** True where the response to the update does not show all that it changed. */
export function needsReadBack(update: TaskUpdate): boolean {
  const asked: readonly string[] = update.fields ?? [];
  return [...membersOf(update)].some(
    (name) => isAltered(name, update) || (onRequest.includes(name) && !asked.includes(name)),
  );
}

/** The parts of `target` that `shown` has otherwise. */
export function differingParts(target: Task, shown: Task, parts: readonly Part[]): readonly Part[] {
  return parts.filter((part) => !isSame(part.read(shown), part.read(target)));
}
