// A part of a task: what one value of an update changes, compared and restored as a whole. A title is a part; so are all
// dates together, one metadata entry, and one id in a list.

import { isDeepStrictEqual } from 'node:util';
import type { Task, TaskUpdate } from '#contract/task.ts';

export type TaskMember = keyof Task;

/** What a response shows of a task: some of its members. */
export type TaskValues = Omit<Task, 'id'>;

/** The parameters that restore a part, and a phrase on what they cannot restore. */
export interface Inverse {
  readonly update?: TaskUpdate;
  readonly notRestorable?: string;
}

export interface Part {
  /** For messages. Two updates that change the same part use the same name. */
  readonly name: string;
  /** The members of a response that show the part. Empty if the update itself tells what it leaves. */
  readonly members: readonly TaskMember[];
  /** Compared with {@link isSame}; undefined if the task has no value, or does not show it. */
  read(task: Task): unknown;
  /** For messages. */
  format(task: Task): string;
  /** The current value for the preview of an update; undefined if the part is not a single value. */
  current(task: Task): string | undefined;
  /** The task after the update, as far as the update tells. */
  apply(task: Task): Task;
  /** For an update without a response: whether `now` may be its result. */
  matches(now: Task): boolean;
  /** `onto` with this part copied from `from`. */
  copy(from: Task, onto: Task): Task;
  /** `left`: the task right after the update. */
  inverse(before: Task, now: Task, left: Task): Inverse;
}

export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/** `task` with some members replaced; undefined removes one. */
export function withMembers(task: Task, members: { readonly [K in TaskMember]?: Task[K] | undefined }): Task {
  const entries = Object.entries({ ...task, ...members }).filter(([, value]) => value !== undefined);
  // Both are tasks, and `id` is never removed.
  return Object.fromEntries(entries) as unknown as Task;
}

export const noValueText = '(none)';

/** {@link Part.current} of a part that is not a single value. */
export const noSingleValue = (): undefined => undefined;

/** What undo asks of a part that it is to restore alone, for the parts that no request restores. */
export const neverRestored = {
  format: () => noValueText,
  current: noSingleValue,
  matches: () => true,
  copy: (_, onto) => onto,
} as const satisfies Partial<Part>;

/** A part that is one member of the task, restored by sending its previous value. */
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
    format: (task) => (task[key] === undefined ? noValueText : String(task[key])),
    current: (task) => (task[key] === undefined ? undefined : String(task[key])),
    apply: (task) => withMembers(task, { [key]: sent }),
    matches: (now) => isSame(now[key], sent),
    copy: (from, onto) => withMembers(onto, { [key]: from[key] }),
    inverse({ [key]: before }) {
      return before === undefined || before === null
        ? { notRestorable: `the ${name}: ${why}` }
        : { update: inverse(before) };
    },
  };
}
