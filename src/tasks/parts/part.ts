// A part of a task: the smallest piece that undo compares and restores. A title is a part; so are all dates together, one
// metadata entry, and one id in a list.

import { isDeepStrictEqual } from 'node:util';
import type { Task, TaskUpdateParameter } from '#contract/task.ts';

export type TaskMember = keyof Task;

/** The members of a task that a response shows. */
export type TaskValues = Omit<Task, 'id'>;

/** The parameters that restore a part, or a phrase for a part that they cannot restore. */
export interface Inverse {
  /** As the service showed them: wm may be unable to send them. */
  readonly update?: { readonly [K in TaskUpdateParameter]?: unknown };
  readonly notRestorable?: string;
}

export interface Part {
  /** For messages. Two updates that change the same part use the same name. */
  readonly name: string;
  /** The members of a response that show the part. Empty if the update alone determines the result. */
  readonly members: readonly TaskMember[];
  /** Compared as a whole; undefined if the task has no value, or does not show it. */
  read(task: Task): unknown;
  /** For messages. */
  format(task: Task): string;
  /** The current value for the preview of an update, if the part is a single value. */
  current?(task: Task): string | undefined;
  /** The task after the update, as far as the update determines it. */
  apply(task: Task): Task;
  /** For an update without a response: whether `now` may be its result. Absent if that is always known, or never asked. */
  matches?(now: Task): boolean;
  /** `onto` with this part copied from `from`. */
  copy(from: Task, onto: Task): Task;
  /** `left`: the task right after the update. */
  inverse(before: Task, now: Task, left: Task): Inverse;
}

/** `task` with some members replaced; undefined removes one. */
export function withMembers(task: Task, members: { readonly [K in TaskMember]?: Task[K] | undefined }): Task {
  const entries = Object.entries({ ...task, ...members }).filter(([, value]) => value !== undefined);
  // Both are tasks, and `id` is never removed.
  return Object.fromEntries(entries) as unknown as Task;
}

export const noValueText = '(none)';

/** The members of {@link Part} that undo uses only to restore, for parts that no request restores. */
export const neverRestored = {
  format: () => noValueText,
  copy: (_, onto) => onto,
} as const satisfies Partial<Part>;

/** A part that is one member of the task, restored by sending its previous value as the parameter. */
export function member<K extends TaskMember>(
  name: string,
  key: K,
  sent: Task[K],
  parameter: TaskUpdateParameter,
  reason = 'the service did not show it before',
): Part {
  return {
    name,
    members: [key],
    read: (task) => task[key],
    format: (task) => (task[key] === undefined ? noValueText : String(task[key])),
    current: (task) => (task[key] === undefined ? undefined : String(task[key])),
    apply: (task) => withMembers(task, { [key]: sent }),
    matches: (now) => isDeepStrictEqual(now[key], sent),
    copy: (from, onto) => withMembers(onto, { [key]: from[key] }),
    inverse({ [key]: before }) {
      return before === undefined || before === null
        ? { notRestorable: `the ${name}: ${reason}` }
        : { update: { [parameter]: before } };
    },
  };
}
