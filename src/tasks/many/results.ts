// Prints the results of a bulk run on standard output, one line of JSON or of tab-separated columns for each row.
// Results that arrive together are written together, and a slow reader slows the run down. Reports which results the reader
// has taken, so that `--resume` can print the others.

import { isFinal, type OutcomeKind, type RowResult } from '#bulk/row.ts';
import type { Context } from '#cli/context.ts';
import type { JsonObject } from '#contract/json.ts';
import type { TaskUpdate } from '#contract/task.ts';
import { type Failure, toFailure } from '#failure.ts';
import { canRedraw, clearedLine, widthOf } from '#terminal/line-drawing.ts';
import type { Report } from '#terminal/report.ts';
import { escapeTabCell, sanitizeLine } from '#terminal/sanitize.ts';
import type { World } from '#world/world.ts';
import type { Rows } from './read-rows.ts';

export type TaskResult = RowResult<TaskUpdate, JsonObject | undefined>;

export interface ResultWriter {
  /** Never throws. Returns a promise if the run must wait for a slow reader. */
  add(result: TaskResult): Promise<void> | undefined;
  /** Never rejects. */
  flush(): Promise<void>;
}

export interface ResultEvents {
  /** Called with the lines of rows whose final results were taken. */
  onReported(lines: readonly number[]): void;
  /** Called once, if standard output cannot be written. */
  onBroken(error: unknown): void;
}

/** How many characters may wait for a slow reader before the run waits too. */
const maxBuffered = 64 * 1024;

/** On a terminal only rows that were not updated are listed: the progress line shows the count. */
export function createResultWriter(
  { streams, environment, secrets: { redact } }: Pick<World, 'streams' | 'environment' | 'secrets'>,
  {
    report,
    onReported,
    onBroken,
  }: ResultEvents & { readonly report: Pick<Report, 'wantsJson' | 'jsonOf' | 'textOf'> },
): ResultWriter {
  const { output, errors } = streams;
  const { isTerminal } = output;
  // The progress line is redrawn after it.
  const before = isTerminal && canRedraw(errors, environment) ? clearedLine : '';
  const tabLine = (result: TaskResult): string => {
    const id = escapeTabCell(report.textOf(result.row.id ?? '', 'id'));
    const reason = escapeTabCell(redact(rowReason(result)));
    return `${result.row.line}\t${id}\t${rowOutcome(result)}\t${reason}`;
  };
  const textOf = (result: TaskResult): string => {
    const text = report.wantsJson ? report.jsonOf(jsonLine(result, redact)) : tabLine(result);
    return isTerminal ? sanitizeLine(text) : text;
  };
  const wrapAll = async (texts: readonly string[]) => {
    // Only here: measuring compiles a pattern of every emoji.
    const { measure, wrap } = await import('#terminal/wrap.ts');
    return texts.map((text) => wrap(measure(text), widthOf(output)).join('\n'));
  };
  let buffer: string[] = [];
  let buffered = 0;
  let lines: number[] = [];
  let writing: Promise<void> | undefined;
  let isBroken = false;
  const write = async (): Promise<void> => {
    // Wait, so that results that arrive together are written together, and `writing` is set.
    await undefined;
    try {
      while (!isBroken && (buffer.length > 0 || lines.length > 0)) {
        const texts = buffer;
        const printedLines = lines;
        buffer = [];
        buffered = 0;
        lines = [];
        const printed = isTerminal && !report.wantsJson ? await wrapAll(texts) : texts;
        if (printed.length > 0)
          await output.write(printed.map((text) => `${before}${text}\n`).join(''), { isRedacted: true });
        // Otherwise the reader has not taken them.
        if (printedLines.length > 0 && !output.isReaderGone) onReported(printedLines);
      }
    } catch (error) {
      isBroken = true;
      onBroken(error);
    }
    writing = undefined;
  };
  return {
    add(result) {
      if (isBroken) return undefined;
      const outcome = rowOutcome(result);
      if (isFinal(outcome)) lines.push(result.row.line);
      if (!isTerminal || report.wantsJson || outcome !== 'updated') {
        const text = textOf(result);
        buffer.push(text);
        buffered += text.length;
      }
      writing ??= write();
      return buffered > maxBuffered ? writing : undefined;
    },
    async flush() {
      await (writing ?? write());
    },
  };
}

/** Prints the rows of a run that sends nothing, since all are invalid. Throws a {@link Failure} if they cannot be written. */
export async function listInvalid(
  { world, report }: Pick<Context, 'world' | 'report'>,
  { batches }: Pick<Rows, 'batches'>,
): Promise<void> {
  const thrown: unknown[] = [];
  const results = createResultWriter(world, {
    report,
    // A run that sends nothing has no journal.
    onReported() {},
    onBroken: (error) => thrown.push(error),
  });
  for await (const batch of batches)
    for (const row of batch.filter((row) => 'invalid' in row)) await results.add({ row });
  await results.flush();
  for (const error of thrown) throw toFailure(error);
}

/** The word for the outcome of a row, in every report of a bulk run. */
export function rowOutcome({ outcome, earlier }: TaskResult): OutcomeKind {
  return earlier?.kind ?? outcome?.kind ?? 'invalid';
}

/** Why the row was not updated, in one line; empty if it was. */
export function rowReason({ row, outcome, earlier }: TaskResult): string {
  if (earlier) return earlier.error?.message ?? '';
  if ('invalid' in row) return row.invalid;
  return !outcome || outcome.kind === 'updated' ? '' : outcome.failure.sentence;
}

/** The failure with a hint for this row: the hint of a single command would send every row again. */
export function rowFailure(kind: Exclude<OutcomeKind, 'updated'>, failure: Failure): Failure {
  if (isFinal(kind)) return failure;
  const resume = `the same command with --resume: it sends this row${kind === 'unknown' ? ' again' : ''}.`;
  if (failure.code === 'rate_limited') return failure.with({ hint: `Wait, then run ${resume}` });
  return failure.with({ hint: `${failure.hint === undefined ? '' : `${failure.hint}\n`}Run ${resume}` });
}

function jsonLine(result: TaskResult, redact: (text: string) => string): JsonObject {
  const { row, outcome, earlier } = result;
  const members = { line: row.line, id: row.id ?? null, outcome: rowOutcome(result) };
  // The journal has the outcome of an earlier run, and not the task.
  if (earlier?.kind === 'updated') return { ...members, task: null };
  if (outcome?.kind === 'updated') return { ...members, task: outcome.record };
  if (outcome) return { ...members, ...rowFailure(outcome.kind, outcome.failure).redacted(redact).toJSON() };
  const { code = 'usage', httpStatus } = earlier?.error ?? {};
  return { ...members, error: { code, message: redact(rowReason(result)), httpStatus } };
}
