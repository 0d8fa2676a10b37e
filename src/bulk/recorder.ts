// Records the result of each row: in the journal, in the states, and with the reporter. Decides when results end the run:
// a failure that concerns every row, or one unknown outcome after the other.

import type { Failure } from '../failure.ts';
import type { Journal } from './journal.ts';
import type { Reporter } from './reporter.ts';
import type { NewResult } from './result.ts';
import { type RowState, type RowStates, rowState } from './row-states.ts';

export interface Recorder<U, R> {
  /** A promise where so many results wait to be reported that the caller must, too. */
  add(result: NewResult<U, R>): Promise<void> | undefined;
}

export interface RecorderOptions<U, R> {
  readonly journal: Pick<Journal, 'updated' | 'failed' | 'invalid' | 'notSent'>;
  readonly states: Pick<RowStates, 'set'>;
  readonly reporter: Pick<Reporter<U, R>, 'add'>;
  readonly concurrency: number;
  /** Called where no further row is to be sent. */
  end(failure: Failure): void;
}

/** After so many unknown outcomes in a row, more requests would only add to them. */
const minUnknowns = 10;

export function createRecorder<U, R>(options: RecorderOptions<U, R>): Recorder<U, R> {
  const { journal, states, reporter, concurrency, end } = options;
  const maxUnknowns = Math.max(minUnknowns, concurrency * 2);
  /** Without a response between them. */
  let unknowns = 0;
  const endIfPointless = ({ outcome }: NewResult<U, R>) => {
    if (outcome?.kind === 'updated' || outcome?.kind === 'failed') unknowns = 0;
    if (outcome?.kind === 'unknown' && ++unknowns >= maxUnknowns) end(outcome.failure);
    if (outcome?.kind === 'not-sent' && outcome.isFatal) end(outcome.failure);
  };
  return {
    add(result) {
      writeEntry(journal, result);
      endIfPointless(result);
      states.set(result.row.line, stateAfter(result));
      return reporter.add(result);
    },
  };
}

function writeEntry(
  journal: RecorderOptions<unknown, unknown>['journal'],
  { row, outcome }: NewResult<unknown, unknown>,
): void {
  const { line } = row;
  if (!outcome) journal.invalid(line, row.invalid);
  else if (outcome.kind === 'updated') journal.updated(line);
  else if (outcome.kind === 'invalid') journal.invalid(line, outcome.failure.sentence);
  else if (outcome.kind === 'not-sent') journal.notSent(line);
  else if (outcome.kind === 'failed') {
    const { sentence, errorCode, code, httpStatus } = outcome.failure;
    journal.failed(line, { message: sentence, code: errorCode ?? code, httpStatus });
  }
  // Of an unknown outcome the journal has that it was sent.
}

function stateAfter({ outcome }: NewResult<unknown, unknown>): RowState {
  switch (outcome?.kind) {
    case undefined:
    case 'invalid':
      return rowState.invalid;
    case 'updated':
      return rowState.updated;
    case 'failed':
      return rowState.failed;
    case 'unknown':
      return rowState.sent;
    case 'not-sent':
      return rowState.notSent;
  }
}
