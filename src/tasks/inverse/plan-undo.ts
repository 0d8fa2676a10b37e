// Plans an undo, shows the plan, and asks about conflicts: the requests that restore the previous values, the parts that cannot be
// restored, and the parts that others have changed since.

import type { Context } from '#cli/context.ts';
import { formatTimestamp } from '#contract/date.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { limit } from '#contract/limit.ts';
import { unlessInvalid } from '#contract/schema.ts';
import { isTaskUpdateParameter, type Task, type TaskUpdate, taskUpdateParameters } from '#contract/task.ts';
import { type Failure, usageError } from '#failure.ts';
import { idsOnly } from '../display/columns.ts';
import { changedColumns, truncate } from '../display/diff.ts';
import { createNameReader } from '../display/names.ts';
import { type Inverse, noValueText, type Part } from '../parts/part.ts';
import { isSame, type TaskAfter, taskAfter } from '../parts/task-after.ts';
import type { LastUpdate } from '../undo-log/last-update.ts';

interface Conflict {
  readonly name: string;
  /** The value that our update left, if known. */
  readonly ours: string | undefined;
  readonly now: string;
}

export type UndoPlan = ReturnType<typeof planUndo>;

/** `read`: the task as it is; by default as the update left it. `target`: `now` with all `parts` restored. `notRestorable`: phrases. */
export function planUndo({ before, steps }: LastUpdate, read?: Task) {
  const after = taskAfter(before, steps);
  const now = read ?? after.task;
  const parts: Part[] = [];
  const updates: NonNullable<Inverse['update']>[] = [];
  const notRestorable: string[] = [];
  const conflicts: Conflict[] = [];
  for (const part of after.parts) {
    // Already as before, or not changed by our update.
    if (isSame(part, before, now) || isSame(part, before, after.task)) continue;
    const inverse = part.inverse(before, now, after.task);
    if (inverse.notRestorable !== undefined) notRestorable.push(inverse.notRestorable);
    if (inverse.update === undefined) continue;
    if (!isValid(inverse.update)) {
      notRestorable.push(`the ${part.name}: wm cannot set ${part.format(before)}`);
      continue;
    }
    parts.push(part);
    updates.push(inverse.update);
    const shown = (task: Task) => part.format(task) || noValueText;
    const ours = after.isKnown(part) ? shown(after.task) : undefined;
    if (read && !isAsLeft(part, now, after)) conflicts.push({ name: part.name, ours, now: shown(now) });
  }
  const target = parts.reduce((task, part) => part.copy(before, task), now);
  return { requests: requestsOf(updates), notRestorable, conflicts, parts, now, target };
}

/** False for a word that the service has added: wm sends only words that it knows. */
function isValid(update: NonNullable<Inverse['update']>): boolean {
  return Object.entries(update).every(
    ([name, value]) =>
      isTaskUpdateParameter(name) &&
      unlessInvalid(() => taskUpdateParameters[name].schema.validate(value)) !== undefined,
  );
}

function isAsLeft(part: Part, now: Task, { task, isKnown }: TaskAfter): boolean {
  return isKnown(part) ? isSame(part, now, task) : part.matches?.(now) === true;
}

/** Joins the lists of several parts. A list that is too long for one request is split. */
function requestsOf(updates: readonly NonNullable<Inverse['update']>[]): readonly TaskUpdate[] {
  const all = new Map<string, unknown>();
  for (const [name, value] of updates.flatMap((update) => Object.entries(update))) {
    const before = all.get(name);
    all.set(name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value);
  }
  const maxLengths: Readonly<Record<string, number>> = {
    metadata: limit.metadataEntries,
    customFields: limit.customFieldEntries,
  };
  const requests: Record<string, unknown>[] = [];
  for (const [name, value] of all) {
    const chunks = Array.isArray(value) ? splitList(value, maxLengths[name]) : [value];
    for (const [index, chunk] of chunks.entries()) requests[index] = { ...requests[index], [name]: chunk };
  }
  // Each value comes from the parameter of its name.
  return requests as readonly TaskUpdate[];
}

function splitList(list: readonly unknown[], maxLength = list.length): readonly (readonly unknown[])[] {
  return Array.from({ length: Math.ceil(list.length / maxLength) }, (_, index) =>
    list.slice(index * maxLength, (index + 1) * maxLength),
  );
}

export async function showUndoPlan(
  context: Context,
  { task, at, steps }: LastUpdate,
  { now, target, notRestorable, conflicts, requests }: UndoPlan,
  readNames = createNameReader(context, 'errors'),
): Promise<void> {
  const { report, canPrompt, common, world } = context;
  // Users see what they confirm, even with --quiet.
  const isAsked = canPrompt && !common.yes;
  const print = isAsked ? report.warn : report.info;
  if (requests.length > 0) {
    const name = now.title === undefined ? task : `${JSON.stringify(now.title)} (${task})`;
    await print(`Undo the update of ${formatTimestamp(at)}: ${name}`);
    if (steps.length > 1) await print(`This undoes all ${steps.length} rows of that bulk run.`);
    const restored = { before: now, after: target };
    // With --dry-run and --curl nothing is requested, not even names.
    const names = context.isDryRun
      ? { ...idsOnly, readableDurations: world.streams.errors.isTerminal }
      : await readNames([now, target]);
    await report.details(changedColumns(restored, names), restored, isAsked);
  }
  for (const phrase of notRestorable) await report.warn(`Cannot be undone: ${phrase}`);
  for (const { name, ours, now: current } of conflicts) {
    const change =
      ours === undefined
        ? `This may not be from your update: ${name}.`
        : `This has changed since your update: ${name}. Your update set it to: ${truncate(ours)}.`;
    await report.warn(`${change} It is now: ${truncate(current)}.`);
  }
}

export function nothingToUndo({ task, at }: LastUpdate, plan: UndoPlan, isRun: boolean): Failure {
  const message =
    plan.notRestorable.length > 0
      ? `No part of ${isRun ? 'what that bulk run changed in' : 'the last update of'} ${task} can be undone`
      : `Nothing to undo: ${task} is as it was before ${isRun ? 'that bulk run' : 'its last update'}`;
  return usageError(message, undefined, `The update was made ${formatTimestamp(at)}.`);
}

/** Only --overwrite confirms overwriting changes by others; --yes does not. */
export async function confirmOverwriting(
  context: Context,
  { task }: LastUpdate,
  { conflicts }: UndoPlan,
  overwrites: boolean,
): Promise<void> {
  if (conflicts.length === 0 || overwrites) return;
  if (!context.canPrompt)
    throw usageError(
      `Not undone: ${describeConflicts(task, conflicts)}`,
      'Nothing was sent. To overwrite that, add --overwrite.',
      conflicts
        .map(({ name, ours, now }) => `${name}: ${ours ?? 'unknown'} after your update, ${now} now`)
        .join('; '),
    );
  const names = joinWithAnd(conflicts.map(({ name }) => name));
  const has = conflicts.every(({ ours }) => ours !== undefined) ? 'has' : 'may have';
  const yes = await context.prompt('--overwrite', (prompt) =>
    prompt.confirm(`Overwrite what ${has} changed since your update (${names})?`),
  );
  if (!yes) throw usageError(`Not confirmed, so ${task} was not undone`);
}

/** Distinguishes changes by others from changes of unknown origin. */
function describeConflicts(task: string, conflicts: readonly Conflict[]): string {
  const names = (isOne: (conflict: Conflict) => boolean) =>
    joinWithAnd(conflicts.filter(isOne).map(({ name }) => name));
  const byOthers = names(({ ours }) => ours !== undefined);
  const unknown = names(({ ours }) => ours === undefined);
  return [
    ...(byOthers === '' ? [] : [`${byOthers} of ${task} changed since your update`]),
    ...(unknown === '' ? [] : [`${unknown} of ${task} may not be from your update`]),
  ].join(', and ');
}
