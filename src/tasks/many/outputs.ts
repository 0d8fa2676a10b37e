// The two outputs that report each row: standard output and the errors file. Each continues if the other fails. Without
// standard output no further row is sent, since its result would be lost; without the errors file the run continues, since
// --resume can write it again from the journal.

import type { Journal, RecordedError } from '#bulk/journal.ts';
import type { RowStates } from '#bulk/row-states.ts';
import { type Failure, toFailure } from '#failure.ts';
import type { Output } from '#world/world.ts';
import type { ErrorRow, ErrorsFile } from './errors-file.ts';
import { type ResultEvents, type ResultWriter, rowOutcome, rowReason, type TaskResult } from './results.ts';
import type { TaskRow } from './row-resolver.ts';

export type Outputs = ReturnType<typeof createOutputs>;

export interface OutputsOptions {
  readonly output: Output;
  /** Creates the writer of standard output. */
  readonly createResults: (events: ResultEvents) => ResultWriter;
  readonly errorsFile: ErrorsFile | undefined;
  readonly journal: Pick<Journal, 'reported'>;
  readonly states: Pick<RowStates, 'setReported'>;
  /** Why rows failed or were invalid in an earlier run, by their lines. */
  readonly earlierErrors: ReadonlyMap<number, RecordedError>;
  /** Called once, if standard output cannot be written. */
  stop(): void;
}

export function createOutputs(options: OutputsOptions) {
  const { output, createResults, errorsFile, journal, states, earlierErrors, stop } = options;
  let resultsFailure: Failure | undefined;
  let errorsFailure: Failure | undefined;
  const results = createResults({
    onReported(lines) {
      journal.reported(lines);
      for (const line of lines) states.setReported(line);
    },
    onBroken(error) {
      resultsFailure = toFailure(error);
      stop();
    },
  });
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
        addError({ line, source, outcome, reason: rowReason(result, earlierErrors) });
      }
      return results.add(result);
    },
    onEarlierFailure({ line, source }: TaskRow) {
      const { message = '', code } = earlierErrors.get(line) ?? {};
      addError({ line, source, outcome: code === 'usage' ? 'invalid' : 'failed', reason: message });
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
      isReaderGone: output.isReaderGone === true,
    }),
  };
}
