// The two outputs that report each row: standard output and the errors file. Each continues if the other fails. Without
// standard output no further row is sent, since its result would be lost; without the errors file the run continues, since
// --resume can write it again from the journal.

import type { CsvFormat } from '#bulk/row.ts';
import type { Context } from '#cli/context.ts';
import { type Failure, toFailure } from '#failure.ts';
import { checkErrorsFile } from './check-files.ts';
import { type ErrorRow, openErrorsFile } from './errors-file.ts';
import type { OpenJournal } from './journal-file.ts';
import type { BulkPlan } from './plan.ts';
import { createTaskWriter } from './print-tasks.ts';
import { createResultWriter, type ResultEvents, rowOutcome, rowReason, type TaskResult } from './results.ts';
import type { TaskRow } from './row-resolver.ts';

export type Outputs = Awaited<ReturnType<typeof openOutputs>>;

/** `csv`: the format of the input. Calls `stop` once, if standard output cannot be written. */
export async function openOutputs(
  context: Context,
  { flags, defaults }: BulkPlan,
  { path, journal, states }: OpenJournal,
  csv: CsvFormat | undefined,
  stop: () => void,
) {
  const { world, report } = context;
  if (flags.errors !== undefined) await checkErrorsFile(world, flags.errors, path);
  const errorsFile = flags.errors === undefined ? undefined : await openErrorsFile(world, flags.errors, csv);
  let resultsFailure: Failure | undefined;
  let errorsFailure: Failure | undefined;
  const events: ResultEvents = {
    onReported(lines) {
      journal.reported(lines);
      for (const line of lines) states.setReported(line);
    },
    onBroken(error) {
      resultsFailure = toFailure(error);
      stop();
    },
  };
  const results =
    flags.from === undefined
      ? createTaskWriter(context, { fields: defaults.fields, states, ...events })
      : createResultWriter(world, { report, ...events });
  const addError = (row: ErrorRow) => {
    if (errorsFailure) return;
    try {
      errorsFile?.add(row);
    } catch (error) {
      errorsFailure = toFailure(error);
    }
  };
  return {
    /** Never throws. The caller awaits a returned promise. */
    report(result: TaskResult): Promise<void> | undefined {
      const outcome = rowOutcome(result);
      // Rows without a final outcome are left to --resume; those of an earlier run come through `onEarlierFailure`.
      if (result.earlier === undefined && (outcome === 'failed' || outcome === 'invalid')) {
        const { line, source } = result.row;
        addError({ line, source, outcome, reason: rowReason(result) });
      }
      return results.add(result);
    },
    onEarlierFailure({ line, source }: TaskRow, outcome: ErrorRow['outcome']) {
      addError({ line, source, outcome, reason: states.errors.get(line)?.message ?? '' });
    },
    /** Resolves once all results are written to standard output, or it fails. Never rejects. */
    flush: () => results.flush(),
    async close() {
      try {
        await errorsFile?.close();
      } catch (error) {
        errorsFailure ??= toFailure(error);
      }
    },
    /** What could not be written so far, and how many rows the errors file has. */
    end: () => ({
      resultsFailure,
      errorsFailure,
      errorsCount: errorsFile?.count ?? 0,
      isReaderGone: world.streams.output.isReaderGone === true,
    }),
  };
}
