// The task right after some updates: the values that their responses showed, and otherwise the values that they sent. Undo
// compares it with the task as it is now, to find changes by other people.

import { isDeepStrictEqual } from 'node:util';
import { fieldOnRequest, type Task, type TaskUpdate } from '#contract/task.ts';
import { partsChangedBy } from './changed-parts.ts';
import type { Part, TaskMember, TaskValues } from './part.ts';

interface Step {
  readonly sent: TaskUpdate;
  /** The values shown after it; absent if no response came, and in the log of an older version. */
  readonly left?: TaskValues | undefined;
}

export type TaskAfter = ReturnType<typeof taskAfter>;

/** `parts`: as the last step that changed each left them. `isKnown`: the service showed the part, or the update alone determines it. */
export function taskAfter(before: Task, steps: readonly Step[]) {
  const parts = new Map<string, Part>();
  const shownParts = new Set<string>();
  let task = before;
  for (const { sent, left: shown = {} } of steps) {
    for (const [name, part] of partsChangedBy(sent)) {
      task = part.apply(task);
      parts.set(name, part);
      if (isShown(part, shown)) shownParts.add(name);
      else shownParts.delete(name);
    }
    task = { ...task, ...shown };
  }
  return { task, parts: [...parts.values()], isKnown: ({ name }: Part) => shownParts.has(name) };
}

/** A part without members is determined by the update itself. */
function isShown({ members }: Part, shown: TaskValues): boolean {
  return members.length === 0 || members.some((name) => name !== 'id' && shown[name] !== undefined);
}

const onRequest: readonly string[] = fieldOnRequest.choices;

function membersOf(update: TaskUpdate): ReadonlySet<TaskMember> {
  return new Set([...partsChangedBy(update).values()].flatMap(({ members }) => members));
}

/** The members of the response, or of the task read back after the update, that show the changed parts. */
export function valuesAfter(update: TaskUpdate, task: Task, source: 'response' | 'read back'): TaskValues {
  const names = [...membersOf(update)].filter((name) => source === 'read back' || !isAltered(name, update));
  return Object.fromEntries(
    names.filter((name) => task[name] !== undefined).map((name) => [name, task[name]]),
  );
}

/** True if the update requested another form of this member than the task has. */
function isAltered(name: TaskMember, { plainTextCustomFields }: TaskUpdate): boolean {
  return name === 'customFields' && plainTextCustomFields === true;
}

/** True if the response does not show everything that the update changed. */
export function needsReadBack(update: TaskUpdate): boolean {
  const requestedFields: readonly string[] = update.fields ?? [];
  return [...membersOf(update)].some(
    (name) => isAltered(name, update) || (onRequest.includes(name) && !requestedFields.includes(name)),
  );
}

export function isSame(part: Part, one: Task, other: Task): boolean {
  return isDeepStrictEqual(part.read(one), part.read(other));
}
