// A row of a bulk run: the update to send, and its place in the input. `U` is the type of the update, which this folder only
// passes on.

import type { Failure } from '#failure.ts';

/** The row as the input has it, to be written out again unchanged: a line of NDJSON, or the cells of CSV. */
export type Source = string | readonly string[];

interface RowPosition {
  /** The line of the input, from 1, where the row begins. It names the row in the journal and in every report. */
  readonly line: number;
  readonly source: Source;
}

export interface ValidRow<U> extends RowPosition {
  readonly id: string;
  readonly update: U;
}

interface InvalidRow extends RowPosition {
  readonly id: string | undefined;
  readonly invalid: string;
}

export type Row<U> = ValidRow<U> | InvalidRow;

/** Rows in the order of the input, many at a time, because a promise for each would cost more than the row itself. */
export type RowBatches<U> = AsyncIterable<readonly Row<U>[]>;

/** Input that cannot be read from this line on. */
export interface UnreadableInput {
  /** Undefined if the input is unreadable as a whole. */
  readonly line?: number;
  readonly problem: string;
  /** What to do about it, if known. */
  readonly fix?: string;
}

/** Throws an error that says why the input cannot be read. */
export type FailToRead = (input: UnreadableInput) => never;

/** How a CSV file is written; a file of its rows is written the same way. */
export interface CsvFormat {
  readonly header: readonly string[];
  readonly delimiter: string;
  readonly lineEnd: string;
  /** It begins with U+FEFF, so that spreadsheets recognise UTF-8. */
  readonly hasByteOrderMark: boolean;
  /** The line above the header that names the delimiter, with its line end: `sep=;`. */
  readonly separatorLine?: string;
}

export type Outcome<R> =
  | { readonly kind: 'updated'; readonly record: R }
  /** The service rejected it. Nothing changed, and sending it again would not help. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Caught here: it was never sent. */
  | { readonly kind: 'invalid'; readonly failure: Failure }
  /** It was sent, but no usable response came: it may have taken effect. */
  | { readonly kind: 'unknown'; readonly failure: Failure }
  /** It did not take effect, and can be sent later. `isFatal`: the other rows cannot be sent either. */
  | { readonly kind: 'not-sent'; readonly failure: Failure; readonly isFatal: boolean };

/** Why a row was not updated, stored in the journal so that a later run can report it. */
export interface RecordedError {
  readonly message: string;
  /** The service's error code, or ours. */
  readonly code?: string;
  readonly httpStatus?: number | undefined;
}

/** The outcome in an earlier run; without an error for an updated row. */
interface EarlierOutcome {
  readonly kind: FinalKind;
  readonly error: RecordedError | undefined;
}

/** The result of this run. */
export type NewResult<U, R> =
  | { readonly row: ValidRow<U>; readonly outcome: Outcome<R>; readonly earlier?: never }
  | { readonly row: InvalidRow; readonly outcome?: never; readonly earlier?: never };

export type RowResult<U, R> =
  | NewResult<U, R>
  /** An earlier run finished the row, and could not report it. */
  | { readonly row: Row<U>; readonly outcome?: never; readonly earlier: EarlierOutcome };

export type OutcomeKind = Outcome<unknown>['kind'];

/** An outcome that sending the row again would not change: there is nothing to resume. */
export type FinalKind = 'updated' | 'failed' | 'invalid';

export function isFinal(kind: OutcomeKind): kind is FinalKind {
  return kind === 'updated' || kind === 'failed' || kind === 'invalid';
}

/** What a failed request means for the row that it was to update. Never throws. */
export function outcomeOfFailure(failure: Failure): Exclude<Outcome<never>, { kind: 'updated' }> {
  const { bulk } = failure.reactions;
  return bulk === 'wait' || bulk === 'end'
    ? { kind: 'not-sent', failure, isFatal: bulk === 'end' }
    : { kind: bulk, failure };
}

/** `line 3 (IEAAAAAQKQAB5BNG)`; without the id if it is unknown. */
export function formatRow({ line, id }: { readonly line: number; readonly id: string | undefined }): string {
  return id?.trim() ? `line ${line} (${id})` : `line ${line}`;
}
