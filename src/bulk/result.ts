// The result of one row, as it is recorded and reported.

import type { FinalKind, Outcome } from './outcome.ts';
import type { InvalidRow, Row, ValidRow } from './row.ts';

/** The result of this run. */
export type NewResult<U, R> =
  | { readonly row: ValidRow<U>; readonly outcome: Outcome<R>; readonly earlier?: never }
  | { readonly row: InvalidRow; readonly outcome?: never; readonly earlier?: never };

export type RowResult<U, R> =
  | NewResult<U, R>
  /** An earlier run finished the row, and could not report it. */
  | { readonly row: Row<U>; readonly outcome?: never; readonly earlier: FinalKind };
