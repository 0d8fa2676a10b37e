// Plans a bulk update: reads all rows, and counts how many there are, what they change, which are invalid and why, and what an
// earlier run left to do.

import { formatIds } from '#bulk/journal.ts';
import { formatRow } from '#bulk/row.ts';
import { finalKind, type RowStates, rowState } from '#bulk/row-states.ts';
import type { Context } from '#cli/context.ts';
import { agree, countOf, formatCount, shareOf } from '#cli/count-of.ts';
import { limit } from '#contract/limit.ts';
import { type TaskDates, type TaskUpdate, taskUpdateParameterNames } from '#contract/task.ts';
import { movedStart } from '#contract/task-rules.ts';
import { Failure, usageError } from '#failure.ts';
import { mayBeHtml } from '#html-reader/html-text.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { type BulkFlags, mostUndoableRows } from './flags.ts';
import type { InputSource } from './input-source.ts';
import type { LeftRows } from './left-rows.ts';
import type { RowResolver } from './row-resolver.ts';

export interface BulkRequest {
  readonly flags: BulkFlags;
  /** Values from the command line, for every row that does not have its own. */
  readonly defaults: UpdateFlagValues;
  /** The ids on the command line. */
  readonly ids: readonly string[];
  /** Log the previous values before anything is sent; undefined if the number of rows decides. */
  readonly undoable: boolean | undefined;
  readonly source: InputSource;
  readonly resolver: RowResolver;
}

/** The states of its rows; and up to which line a power cut may have taken the entries of rows that were sent. */
interface EarlierRun {
  readonly states: RowStates;
  readonly lostTo: number;
}

export type BulkPlan = Awaited<ReturnType<typeof createPlan>>;

const maxInvalidLines = 20;
const maxUnknownListed = 50;
const maxEntryLength = 64 * 1024;

/** Reads all rows, and awaits `onRow` for each valid one. A dry run keeps no ids. `earlier`: a run that is resumed. */
export async function createPlan(
  request: BulkRequest,
  onRow: (row: { readonly id: string; readonly update: TaskUpdate }) => Promise<void> | undefined,
  { keepsIds, earlier }: { readonly keepsIds: boolean; readonly earlier?: EarlierRun },
) {
  const { states, lostTo = 0 } = earlier ?? {};
  const { batches, skipped } = await request.source.open(request.resolver);
  /** How many rows change each parameter, by its name in the contract. */
  const changes: Record<string, number> = {};
  /** The first invalid rows, a line each, with the reason. */
  const invalidLines: string[] = [];
  let htmlWarnings: Awaited<ReturnType<typeof loadHtmlWarnings>> | undefined;
  /** The starts that the service moves off a weekend: how many, and the first. */
  const movedStarts = { count: 0, first: '' };
  /** Rows that earlier runs left of an input that has changed since. */
  const left: readonly LeftRows[] = [];
  const idEntries: Uint8Array[] = [];
  let text = '';
  let rows = 0;
  let invalid = 0;
  let toSend = 0;
  let newInvalid = 0;
  const unknownRows: string[] = [];
  const lost: number[] = [];
  const isMoved = createStartCheck();
  for await (const batch of batches) {
    rows += batch.length;
    if (keepsIds) text += formatIds(batch);
    // As bytes, outside the heap: a million ids are some 25 MB.
    if (text.length > maxEntryLength) {
      idEntries.push(Buffer.from(text));
      text = '';
    }
    for (const row of batch) {
      let state = states?.get(row.line) ?? rowState.notSent;
      if (states && row.line <= lostTo && state === rowState.notSent && !('invalid' in row)) {
        state = rowState.sent;
        states.set(row.line, state);
        lost.push(row.line);
      }
      const isOpen = finalKind(state) === undefined;
      if (state === rowState.sent && unknownRows.length < maxUnknownListed) unknownRows.push(formatRow(row));
      if ('invalid' in row) {
        invalid++;
        if (isOpen) newInvalid++;
        if (invalidLines.length < maxInvalidLines) invalidLines.push(`  ${formatRow(row)}: ${row.invalid}`);
        continue;
      }
      if (isOpen) toSend++;
      for (const name in row.update) changes[name] = (changes[name] ?? 0) + 1;
      const { description, dates } = row.update;
      if (description !== undefined && mayBeHtml(description)) {
        htmlWarnings ??= await loadHtmlWarnings();
        htmlWarnings.add(description);
      }
      if (dates && isMoved(dates) && movedStarts.count++ === 0) movedStarts.first = dates.start ?? '';
      const pending = onRow(row);
      if (pending) await pending;
    }
  }
  request.resolver.lookUps.dates()?.assertNoContradiction(request.source.name);
  const more = (states?.counts().unknown ?? 0) - unknownRows.length;
  return {
    ...request,
    rows,
    undoable: request.undoable ?? rows <= mostUndoableRows,
    invalid,
    invalidLines,
    changes,
    idEntries: [...idEntries, Buffer.from(text)],
    left,
    movedStarts,
    htmlWarnings: htmlWarnings?.texts() ?? [],
    /** Rows to send, those of unknown outcome among them. */
    toSend,
    /** Invalid rows that are not in the journal yet. */
    newInvalid,
    /** The lines and ids of rows with an unknown outcome; only the first ones of many. */
    unknownRows: `${unknownRows.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    /** The lines of rows that count as sent although the journal has no entry of them. */
    lost,
    /** What is skipped in the input, in words. */
    skipped: skipped(),
  };
}

/** Whether the service moves the start. Many rows have the start of the row above, and a `Date` for each takes time. */
function createStartCheck() {
  let last: string | undefined;
  let isOnWeekend = false;
  return ({ start, workOnWeekends }: TaskDates): boolean => {
    if (start !== last) isOnWeekend = movedStart({ start }) !== undefined;
    last = start;
    return isOnWeekend && workOnWeekends !== true;
  };
}

const loadHtmlWarnings = async () => (await import('../input/stripped-html.ts')).createHtmlWarnings();

/** `2 of 7 rows from tasks.csv will be updated (title); 5 are invalid:`, the invalid rows, dates, and warnings. */
export async function printPlan({ report }: Context, plan: BulkPlan): Promise<void> {
  const { rows, invalid, invalidLines, changes, source, resolver } = plan;
  const updates = rows - invalid;
  const changed = taskUpdateParameterNames.flatMap((name) => {
    const count = changes[name];
    return count === undefined ? [] : [count === updates ? name : `${name} (${formatCount(count)})`];
  });
  const parameters = changed.length > 0 ? ` (${changed.join(', ')})` : '';
  const problems = invalid > 0 ? `; ${formatCount(invalid)} ${agree(invalid, 'is')} invalid:` : '';
  await report.info(
    `${formatCount(updates)} of ${countOf(rows, 'row')} from ${source.name} will be updated${parameters}${problems}`,
  );
  for (const line of invalidLines) await report.info(line);
  if (invalid > invalidLines.length)
    await report.info(`  and ${formatCount(invalid - invalidLines.length)} more`);
  if (plan.skipped.length > 0) await report.info(`Skipped: ${plan.skipped.join(', ')}`);
  const example = resolver.lookUps.dates()?.example();
  if (example !== undefined) await report.info(example);
  for (const [typed, date] of resolver.relativeDates) await report.info(`  ${typed} is ${date}`);
  const { count, first } = plan.movedStarts;
  if (count > 0)
    await report.warn(
      `The start is on a weekend in ${countOf(count, 'row')} (the first: ${first}): unless the tasks work on weekends (work-on-weekends), the service moves it to Monday.`,
    );
  for (const warning of plan.htmlWarnings) await report.warn(warning);
  if (plan.undoable && plan.flags.from !== undefined && updates > 0)
    await report.info(
      `For \`wm task undo\`, wm reads the tasks first, ${limit.tasksPerGet} in a request; if that fails, ${readsAllFirst(plan) ? 'nothing' : 'no further row'} is sent. To skip it: --no-undoable`,
    );
}

/** Whether all tasks are read before the first row is sent. With --rate that could be long before the last one. */
export function readsAllFirst({ rows, flags }: Pick<BulkPlan, 'rows' | 'flags'>): boolean {
  return rows <= mostUndoableRows && flags.rate === undefined;
}

/** For a run that sends nothing, or that was only previewed. */
export function invalidRowsFailure(plan: BulkPlan): Failure {
  return usageError(
    invalidRowsText(plan),
    [
      `Fix ${agree(plan.invalid, 'it')}, and run the command again. The first is:`,
      ...plan.invalidLines.slice(0, 1),
    ].join('\n'),
  );
}

export function invalidRowsText({ rows, invalid }: BulkPlan): string {
  return `${shareOf(invalid, rows, 'row', 'is')} invalid`;
}

/** The run updated every row it has, but an earlier run left rows of the input as it was then. */
export function leftRowsFailure({ source, rows, left }: BulkPlan): Failure {
  const count = left.reduce((sum, { count }) => sum + count, 0);
  // They were printed before other rows were sent.
  const isPrinted = rows > 0;
  const subject = isPrinted ? 'Every row of this run was updated. If the unfinished rows above' : 'If they';
  return new Failure('part_failed', {
    message: `${countOf(count, 'row')} of an earlier ${source.name} ${agree(count, 'was')} left unfinished`,
    why: isPrinted ? undefined : left.map(({ text }) => text).join('\n'),
    hint: `${subject} still matter, add them to ${source.name}: the next run does not name them again.`,
  });
}
