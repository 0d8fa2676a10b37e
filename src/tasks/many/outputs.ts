// The two outputs that report each row: standard output and the errors file. Each continues if the other fails. Without
// standard output no result is seen, so no further row is sent; without the errors file the run continues, since
// --resume can write it again from the journal.

import type { Journal, RecordedError } from '#bulk/journal.ts';
import type { RowStates } from '#bulk/row-states.ts';
import { type Failure, toFailure } from '#failure.ts';
import type { Output } from '#world/world.ts';
import type { ErrorRow, ErrorsFile } from './errors-file.ts';
import { type ResultEvents, type ResultWriter, rowOutcome, rowReason, type TaskResult } from './results.ts';
import type { TaskRow } from './row-resolver.ts';

export interface Outputs {
  /** Never throws. The caller awaits a returned promise. */
  report(result: TaskResult): Promise<void> | undefined;
  /** Adds a row that failed or was invalid in an earlier run to the errors file. */
  onEarlierFailure(row: TaskRow): void;
  /** Resolves once all results are written to standard output, or it fails. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
  /** Why standard output could not be written. */
  readonly resultsFailure: Failure | undefined;
  /** Why the errors file could not be written. */
  readonly errorsFailure: Failure | undefined;
  /** How many rows the errors file has. */
  readonly errorsCount: number;
  /** The reader of standard output has gone. */
  readonly isReaderGone: boolean;
}

export interface OutputsOptions {
  readonly output: Output;
  /** Creates what writes to standard output. */
  readonly createResults: (events: ResultEvents) => ResultWriter;
  readonly errorsFile: ErrorsFile | undefined;
  readonly journal: Pick<Journal, 'reported'>;
  readonly states: Pick<RowStates, 'setReported'>;
  /** Why rows failed or were invalid in an earlier run, by their lines. */
  readonly earlierErrors: ReadonlyMap<number, RecordedError>;
  /** Called once, where standard output cannot be written. */
  stop(): void;
}

export function createOutputs({
  output,
  createResults,
  errorsFile,
  journal,
  states,
  earlierErrors,
  stop,
}: OutputsOptions): Outputs {
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
  const addError = (added: ErrorRow) => {
    if (errorsFailure) return;
    try {
      errorsFile?.add(added);
    } catch (error) {
      errorsFailure = toFailure(error);
    }
  };
  return {
    report(result) {
      const outcome = rowOutcome(result);
      // Rows without a final outcome are left to --resume; those of an earlier run come through `onEarlierFailure`.
      if (result.earlier === undefined && (outcome === 'failed' || outcome === 'invalid')) {
        const { line, source } = result.row;
        addError({ line, source, outcome, reason: rowReason(result, earlierErrors) });
      }
      return results.add(result);
    },
    onEarlierFailure({ line, source }) {
      const { message = '', code } = earlierErrors.get(line) ?? {};
      addError({ line, source, outcome: code === 'usage' ? 'invalid' : 'failed', reason: message });
    },
    flush: () => results.flush(),
    async close() {
      try {
        await errorsFile?.close();
      } catch (error) {
        errorsFailure ??= toFailure(error);
      }
    },
    get resultsFailure() {
      return resultsFailure;
    },
    get errorsFailure() {
      return errorsFailure;
    },
    get errorsCount() {
      return errorsFile?.count ?? 0;
    },
    get isReaderGone() {
      return output.isReaderGone === true;
    },
  };
}
