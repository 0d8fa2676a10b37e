// The outcome of one row: the five words that every report of a bulk run uses, with what each carries.

import type { Failure } from '#failure.ts';
import type { InvalidRow, Row, ValidRow } from './row.ts';

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

/** The result of this run. */
export type NewResult<U, R> =
  | { readonly row: ValidRow<U>; readonly outcome: Outcome<R>; readonly earlier?: never }
  | { readonly row: InvalidRow; readonly outcome?: never; readonly earlier?: never };

/** The result of one row, as it is recorded and reported. */
export type RowResult<U, R> =
  | NewResult<U, R>
  /** An earlier run finished the row, and could not report it. */
  | { readonly row: Row<U>; readonly outcome?: never; readonly earlier: FinalKind };

export type OutcomeKind = Outcome<unknown>['kind'];

/** An outcome that sending the row again would not change: there is nothing to resume. */
export type FinalKind = 'updated' | 'failed' | 'invalid';

/** True if there is nothing to resume. */
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
