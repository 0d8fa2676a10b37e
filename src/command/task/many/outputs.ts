// Where the outcome of each row is reported: standard output, and the file of --errors. Each goes on when the other
// fails. Without standard output nobody hears of a row, so that no further one is sent; the file can be written anew from
// the journal, so that without it the bulk goes on.

import type { Journal, Reason } from '../../../bulk/journal.ts';
import type { RowStates } from '../../../bulk/states.ts';
import { type Failure, outputFailure, toFailure } from '../../../failure.ts';
import type { Output } from '../../../world/world.ts';
import type { ErrorsFile } from './errors-file.ts';
import type { TaskItem } from './reading.ts';
import { outcomeOf, type Results, type ResultsHooks, reasonOf, type TaskResult } from './results.ts';

export interface Outputs {
  /** Never throws. A promise is waited for. */
  report(result: TaskResult): Promise<void> | undefined;
  /** A row that failed in an earlier run. */
  passed(item: TaskItem): void;
  /** Resolves once standard output has taken all, or fails to. */
  flush(): Promise<void>;
  close(): Promise<void>;
  /** What could not be written. */
  readonly results: Failure | undefined;
  readonly errors: Failure | undefined;
  /** How many rows the file of --errors has. */
  readonly listed: number;
  /** The reader of standard output has gone. */
  readonly isGone: boolean;
}

export interface OutputsOptions {
  readonly output: Output;
  /** What is printed on standard output. */
  readonly createResults: (hooks: ResultsHooks) => Results;
  readonly errorsFile: ErrorsFile | undefined;
  readonly journal: Journal;
  readonly states: RowStates;
  readonly reasons: ReadonlyMap<number, Reason>;
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
    reported(lines) {
      journal.reported(lines);
      for (const line of lines) states.setReported(line);
    },
    broken(error) {
      results = outputFailure(error) ?? toFailure(error);
      stop();
    },
  });
  const list = (item: TaskItem, reason: string) => {
    if (errors) return;
    try {
      errorsFile?.add(item.line, item.source, reason);
    } catch (error) {
      errors = toFailure(error);
    }
  };
  return {
    report(result) {
      const outcome = outcomeOf(result, reasons);
      // What has no response yet is the business of --resume; what an earlier run has, comes through `passed`.
      if (result.earlier === undefined && (outcome === 'failed' || outcome === 'refused'))
        list(result.item, reasonOf(result, reasons));
      return shown.add(result);
    },
    passed: (item) => list(item, reasons.get(item.line)?.why ?? ''),
    flush: () => shown.flush(),
    async close() {
      try {
        await errorsFile?.close();
      } catch (error) {
        errors ??= toFailure(error);
      }
    },
    get results() {
      return results;
    },
    get errors() {
      return errors;
    },
    get listed() {
      return errorsFile?.count ?? 0;
    },
    get isGone() {
      return output.isReaderGone === true;
    },
  };
}
