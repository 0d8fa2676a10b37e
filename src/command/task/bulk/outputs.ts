// Where the outcome of each row is reported: standard output, and the file of --errors. Each goes on when the other
// fails. Without standard output nobody hears of a row, so that no further one is sent; the file can be written anew from
// the journal, so that without it the bulk goes on.

import type { Journal, RecordedError } from '../../../bulk/journal.ts';
import type { RowStates } from '../../../bulk/row-states.ts';
import { type Failure, outputFailure, toFailure } from '../../../failure.ts';
import type { Output } from '../../../world/world.ts';
import type { ErrorsFile } from './errors-file.ts';
import { type ResultEvents, type ResultWriter, rowOutcome, rowReason, type TaskResult } from './results.ts';
import type { TaskRow } from './row-resolver.ts';

export interface Outputs {
  /** Never throws. A promise is waited for. */
  report(result: TaskResult): Promise<void> | undefined;
  /** A row that failed in an earlier run. */
  onEarlierFailure(item: TaskRow): void;
  /** Resolves once standard output has taken all, or fails to. */
  flush(): Promise<void>;
  close(): Promise<void>;
  /** What could not be written. */
  readonly resultsFailure: Failure | undefined;
  readonly errorsFailure: Failure | undefined;
  /** How many rows the file of --errors has. */
  readonly errorsCount: number;
  /** The reader of standard output has gone. */
  readonly isReaderGone: boolean;
}

export interface OutputsOptions {
  readonly output: Output;
  /** What is printed on standard output. */
  readonly createResults: (hooks: ResultEvents) => ResultWriter;
  readonly errorsFile: ErrorsFile | undefined;
  readonly journal: Journal;
  readonly states: RowStates;
  readonly reasons: ReadonlyMap<number, RecordedError>;
  /** Called once standard output cannot be written. */
  stop(): void;
}

export function createOutputs({
  output,
  createResults,
  errorsFile,
  journal,
  states,
  reasons,
  stop,
}: OutputsOptions): Outputs {
  let results: Failure | undefined;
  let errors: Failure | undefined;
  const shown = createResults({
    onReported(lines) {
      journal.reported(lines);
      for (const line of lines) states.setReported(line);
    },
    onBroken(error) {
      results = outputFailure(error) ?? toFailure(error);
      stop();
    },
  });
  const list = (item: TaskRow, reason: string) => {
    if (errors) return;
    try {
      errorsFile?.add(item.line, item.source, reason);
    } catch (error) {
      errors = toFailure(error);
    }
  };
  return {
    report(result) {
      const outcome = rowOutcome(result, reasons);
      // What has no response yet is the business of --resume; what an earlier run has, comes through `passed`.
      if (result.earlier === undefined && (outcome === 'failed' || outcome === 'refused'))
        list(result.item, rowReason(result, reasons));
      return shown.add(result);
    },
    onEarlierFailure: (item) => list(item, reasons.get(item.line)?.message ?? ''),
    flush: () => shown.flush(),
    async close() {
      try {
        await errorsFile?.close();
      } catch (error) {
        errors ??= toFailure(error);
      }
    },
    get resultsFailure() {
      return results;
    },
    get errorsFailure() {
      return errors;
    },
    get errorsCount() {
      return errorsFile?.count ?? 0;
    },
    get isReaderGone() {
      return output.isReaderGone === true;
    },
  };
}
