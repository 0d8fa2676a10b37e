// Plans an undo: the requests that restore the previous values, what cannot be restored, and the parts of the task that others
// have changed since.

import { limit } from '#contract/limit.ts';
import type { Task, TaskUpdate } from '#contract/task.ts';
import { isSame, type Part } from '../parts/part.ts';
import { type TaskAfter, taskAfter } from '../parts/task-after.ts';
import type { LastUpdate } from '../undo-log/last-update.ts';

/** A part that has changed since: what our update left, if known, and what is there now. */
export interface Conflict {
  readonly name: string;
  readonly ours: string | undefined;
  readonly now: string;
}

export interface UndoPlan {
  /** To be sent one after the other. Empty if there is nothing to restore. */
  readonly requests: readonly TaskUpdate[];
  /** A phrase for each part that cannot be restored. */
  readonly notRestorable: readonly string[];
  readonly conflicts: readonly Conflict[];
  /** The parts that the requests restore, and the task with all of them restored. */
  readonly parts: readonly Part[];
  readonly target: Task;
}

/** `now`: the task as it is; without it, as the update left it. */
export function planUndo({ before, steps }: LastUpdate, now?: Task): UndoPlan {
  const after = taskAfter(before, steps);
  const current = now ?? after.left;
  const parts: Part[] = [];
  const updates: TaskUpdate[] = [];
  const notRestorable: string[] = [];
  const conflicts: Conflict[] = [];
  for (const part of after.parts.filter((one) => isChangedByUs(one, before, current, after))) {
    const inverse = part.inverse(before, current, after.left);
    if (inverse.notRestorable !== undefined) notRestorable.push(inverse.notRestorable);
    if (inverse.update === undefined) continue;
    parts.push(part);
    updates.push(inverse.update);
    if (now && !isAsLeft(part, current, after)) conflicts.push(conflict(part, current, after));
  }
  const target = parts.reduce((task, part) => part.copy(before, task), current);
  return { requests: requestsOf(updates), notRestorable, conflicts, parts, target };
}

/** False if the part is already as before, or our update did not change it. */
function isChangedByUs(part: Part, before: Task, now: Task, { left }: TaskAfter): boolean {
  const was = part.read(before);
  return !isSame(was, part.read(now)) && !isSame(was, part.read(left));
}

function isAsLeft(part: Part, now: Task, { left, isKnown }: TaskAfter): boolean {
  return isKnown(part) ? isSame(part.read(now), part.read(left)) : part.matches(now);
}

function conflict(part: Part, now: Task, { left, isKnown }: TaskAfter): Conflict {
  const ours = isKnown(part) ? part.format(left) : undefined;
  return { name: part.name, ours, now: part.format(now) };
}

/** Joins the lists of several parts; the next request takes what does not fit into one. */
function requestsOf(updates: readonly TaskUpdate[]): readonly TaskUpdate[] {
  const all = new Map<string, unknown>();
  for (const [name, value] of updates.flatMap((update) => Object.entries(update))) {
    const before = all.get(name);
    all.set(name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value);
  }
  const longest: Readonly<Record<string, number>> = {
    metadata: limit.metadataEntries,
    customFields: limit.customFieldEntries,
  };
  const requests: Record<string, unknown>[] = [];
  for (const [name, value] of all) {
    const pieces = Array.isArray(value) ? inChunks(value, longest[name]) : [value];
    for (const [index, piece] of pieces.entries()) requests[index] = { ...requests[index], [name]: piece };
  }
  // Each value is of the parameter that it came with.
  return requests as readonly TaskUpdate[];
}

function inChunks(list: readonly unknown[], longest = list.length): readonly (readonly unknown[])[] {
  return Array.from({ length: Math.ceil(list.length / longest) }, (_, index) =>
    list.slice(index * longest, (index + 1) * longest),
  );
}
