// Shows what an undo will do before it is sent: a line for each part of the task, what cannot be restored, and what has been
// changed since your update.

import type { Context } from '#cli/context.ts';
import { printAllIfDryRun } from '#cli/send.ts';
import { formatTimestamp } from '#contract/date.ts';
import { operations } from '#contract/operation.ts';
import type { Task, TaskUpdate } from '#contract/task.ts';
import { idsOnly } from '../display/columns.ts';
import { changedColumns, truncate } from '../display/diff.ts';
import { readNames } from '../display/names.ts';
import { taskAfter } from '../parts/task-after.ts';
import type { LastUpdate } from '../undo-log/last-update.ts';
import type { UndoPlan } from './plan-undo.ts';

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
