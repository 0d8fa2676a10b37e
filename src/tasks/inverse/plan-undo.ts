// Plans an undo, and shows the plan: the requests that restore the previous values, what cannot be restored, and the parts of the task that others
// have changed since.

import type { Context } from '#cli/context.ts';
import { printAllIfDryRun } from '#cli/send.ts';
import { formatTimestamp } from '#contract/date.ts';
import { limit } from '#contract/limit.ts';
import { operations } from '#contract/operation.ts';
import type { Task, TaskUpdate } from '#contract/task.ts';
import { idsOnly } from '../display/columns.ts';
import { changedColumns, truncate } from '../display/diff.ts';
import { readNames } from '../display/names.ts';
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

/** `now`: the task as it is; by default, as the update left it. */
export async function showUndoPlan(
  context: Context,
  last: LastUpdate,
  { target, notRestorable, conflicts, requests }: UndoPlan,
  now: Task = taskAfter(last.before, last.steps).left,
): Promise<void> {
  const { report, canPrompt, common, world } = context;
  const { task, at, steps } = last;
  // Even with --quiet, show users what they are asked to confirm.
  const isAsked = canPrompt && !common.yes;
  const print = isAsked ? report.warn : report.info;
  if (requests.length > 0) {
    await print(`Undo the update of ${formatTimestamp(at)}: ${task}  ${now.title ?? ''}`);
    if (steps.length > 1) await print(`This undoes all ${steps.length} rows of that bulk run.`);
    const change = { before: now, after: target };
    // With --dry-run and --curl nothing is requested, not even names.
    const names =
      common.dryRun || common.curl
        ? { ...idsOnly, readableDurations: world.streams.errors.isTerminal }
        : await readNames(context, [now, target], 'errors');
    await report.details(changedColumns(change, names), change, isAsked);
  }
  for (const one of notRestorable) await report.warn(`Cannot be undone: ${one}`);
  for (const { name, ours, now: present } of conflicts) {
    const what =
      ours === undefined
        ? `This may not be from your update: ${name}.`
        : `This has changed since your update: ${name}. Your update set it to: ${truncate(ours)}.`;
    await report.warn(`${what} It is now: ${truncate(present)}.`);
  }
}

/** For --dry-run and --curl; with --json one object per line if there are several. */
export async function showUndoRequests(
  context: Context,
  id: string,
  requests: readonly TaskUpdate[],
): Promise<void> {
  const all = requests.map((parameters) => ({ path: { taskId: id }, parameters }));
  await printAllIfDryRun(context, operations.updateTask, all);
}
