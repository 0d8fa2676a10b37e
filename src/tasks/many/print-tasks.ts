// Prints the results of a bulk run whose ids are on the command line: the tasks in the order of the ids, as for a single id, so
// that the output does not depend on the number of ids. Failures go to standard error, each with its id.

import { isFinal } from '#bulk/row.ts';
import type { RowStates } from '#bulk/row-states.ts';
import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { readLeniently } from '#contract/schema.ts';
import { taskOperations } from '#contract/task.ts';
import { Failure } from '#failure.ts';
import type { FieldOnRequest } from '../display/columns.ts';
import { withNames } from '../display/names.ts';
import { type ResultEvents, type ResultWriter, rowFailure, rowOutcome, type TaskResult } from './results.ts';

interface TaskWriterOptions extends ResultEvents {
  readonly fields: readonly FieldOnRequest[] | undefined;
  /** To leave out ids that an earlier run has reported. */
  readonly states: Pick<RowStates, 'isReported'>;
}

/** Lines are the positions of the ids, from 1. In a pipe, each task is printed once all before it have a result. */
export function createTaskWriter(
  context: Context,
  { fields, states, onReported, onBroken }: TaskWriterOptions,
): ResultWriter {
  const { world, report } = context;
  const { output, errors } = world.streams;
  // A table needs all of its rows, and must not be mixed with the progress line.
  const waitsForAll = output.isTerminal || errors.isTerminal;
  /** Results by line, held until all earlier lines have theirs. */
  const early = new Map<number, TaskResult>();
  let next = 1;
  let ready: TaskResult[] = [];
  let writing: Promise<void> | undefined;
  let isBroken = false;

  const print = async (results: readonly TaskResult[]): Promise<void> => {
    const raw = results.flatMap(({ outcome }) => (outcome?.kind === 'updated' ? (outcome.record ?? []) : []));
    const records = raw.map((record) => readLeniently(taskOperations.updateTask.record, record));
    await report.each(await withNames(context, { records, raw }, fields));
  };

  const printFailure = async (result: TaskResult): Promise<void> => {
    const failure = failureOf(result);
    if (failure) await report.failure(failure);
    else if (result.earlier?.kind === 'updated') {
      const { id = '' } = result.row;
      await report.info(
        `${id} was updated by an earlier run. To see it: ${formatCommandWith(context, 'task get', [id])}`,
      );
    }
  };

  const writeOut = async (results: readonly TaskResult[]): Promise<void> => {
    const reported: TaskResult[] = [];
    try {
      for (const result of results) {
        await printFailure(result);
        if (result.outcome?.kind !== 'updated') reported.push(result);
      }
      if (!isBroken) {
        await print(results);
        // Otherwise the reader has not taken them.
        if (!output.isReaderGone)
          reported.push(...results.filter(({ outcome }) => outcome?.kind === 'updated'));
      }
    } catch (error) {
      if (!isBroken) onBroken(error);
      isBroken = true;
    }
    const lines = reported.filter((result) => isFinal(rowOutcome(result))).map(({ row }) => row.line);
    if (lines.length > 0) onReported(lines);
  };

  const write = async (): Promise<void> => {
    // Wait, so that tasks that arrive together are printed together, and `writing` is set.
    await undefined;
    while (ready.length > 0) await writeOut(ready.splice(0));
    writing = undefined;
  };

  return {
    add(result) {
      early.set(result.row.line, result);
      if (waitsForAll) return undefined;
      for (;;) {
        const earlyResult = early.get(next);
        if (!earlyResult && !states.isReported(next)) break;
        if (earlyResult) ready.push(earlyResult);
        early.delete(next);
        next++;
      }
      if (ready.length > 0) writing ??= write();
      return undefined;
    },
    async flush() {
      await writing;
      // These wait for ids that were not sent, which have no result.
      ready = [...early.values()].toSorted((a, b) => a.row.line - b.row.line);
      early.clear();
      await write();
    },
  };
}

/** Undefined for a task that was updated. */
function failureOf(result: TaskResult): Failure | undefined {
  const { id = '' } = result.row;
  if (result.earlier) {
    const { kind, error } = result.earlier;
    if (!error) return undefined;
    const message = `${id} ${kind === 'failed' ? 'failed' : 'was invalid'} in an earlier run`;
    return new Failure('other', { message, why: error.message, httpStatus: error.httpStatus });
  }
  if (result.outcome === undefined) return new Failure('usage', { message: `${id}: ${result.row.invalid}` });
  const { outcome } = result;
  if (outcome.kind === 'updated') return undefined;
  const failure = rowFailure(outcome.kind, outcome.failure);
  return failure.message.includes(id) ? failure : failure.with({ message: `${id}: ${failure.message}` });
}
