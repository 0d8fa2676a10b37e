// A part of a task: what one value of an update changes, and what is compared and restored as a whole. A title is one, so
// are the dates together, one metadata entry, and one id of a list.

import { isDeepStrictEqual } from 'node:util';
import type { Task, TaskUpdate } from '../../../contract/task.ts';

export type TaskMember = keyof Task;

/** What a response shows of a task: some of its members. */
export type TaskValues = Omit<Task, 'id'>;

/** The parameters that restore a part, and a sentence on what none of them does. */
export interface Inverse {
  readonly update?: TaskUpdate;
  readonly cannot?: string;
}

export interface Part {
  /** As a person calls it. Two updates that change the same part give it the same name. */
  readonly name: string;
  /** The members of a response that show it. Empty where the update alone says what it leaves. */
  readonly members: readonly TaskMember[];
  /** Compared with {@link isSame}; undefined where the task has none, or does not show it. */
  read(task: Task): unknown;
  /** For a person. */
  format(task: Task): string;
  /** What the preview of an update shows beside the new value; nothing where that is not one value. */
  current(task: Task): string | undefined;
  /** The task as the update leaves it, as far as the update alone can tell. */
  apply(task: Task): Task;
  /** For an update whose response is not known: whether `now` may be what it left. */
  matches(now: Task): boolean;
  /** `onto` with this part as it is in `from`. */
  copy(from: Task, onto: Task): Task;
  /** `left`: the task as the update left it. */
  inverse(before: Task, now: Task, left: Task): Inverse;
}

export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/** `task` with some members replaced; those that are undefined are left out. */
export function withMembers(task: Task, members: { readonly [K in TaskMember]?: Task[K] | undefined }): Task {
  const entries = Object.entries({ ...task, ...members }).filter(([, value]) => value !== undefined);
  // Both are tasks, and `id` is never among those left out.
  return Object.fromEntries(entries) as unknown as Task;
}

export const none = '(none)';

/** {@link Part.current} of a part that is not one value. */
export const noCurrent = (): undefined => undefined;

/** A part that is one member of the task, and restored by sending the value before. */
export function member<K extends TaskMember>(
  name: string,
  key: K,
  sent: Task[K],
  inverse: (before: NonNullable<Task[K]>) => TaskUpdate,
  why = 'the service did not show it before',
): Part {
  return {
    name,
    members: [key],
    read: (task) => task[key],
    format: (task) => (task[key] === undefined ? none : String(task[key])),
    current: (task) => (task[key] === undefined ? undefined : String(task[key])),
    apply: (task) => withMembers(task, { [key]: sent }),
    matches: (now) => isSame(now[key], sent),
    copy: (from, onto) => withMembers(onto, { [key]: from[key] }),
    inverse({ [key]: before }) {
      return before === undefined || before === null
        ? { cannot: `the ${name}: ${why}` }
        : { update: inverse(before) };
    },
  };
}
