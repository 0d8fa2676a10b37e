// A row of a bulk: what is to be sent for it, and where in the input it stands. `U` is what an update is; this folder
// never looks into it.

/** What a row was in the input, to be written out again as it came: a line of NDJSON, or the cells of CSV. */
export type Source = string | readonly string[];

interface Place {
  /** Counted from 1 over all rows of the input: the row's name in the journal. */
  readonly number: number;
  /** Of the input, counted from 1, where the row begins. */
  readonly line: number;
  readonly source: Source;
}

export interface Row<U> extends Place {
  readonly id: string;
  readonly update: U;
}

/** A row that may not be sent. */
export interface RefusedRow extends Place {
  readonly id: string | undefined;
  readonly refused: string;
}

export type Item<U> = Row<U> | RefusedRow;

/** Rows in the order of the input, many at a time, because a promise for each would cost more than the row itself. */
export type Items<U> = AsyncIterable<readonly Item<U>[]>;

/** A row as it was read, before anybody has understood it. */
export interface Entry<T> {
  readonly line: number;
  readonly value: T;
}

/** Input that cannot be read at all from this line on. */
export interface WrongInput {
  readonly line: number;
  readonly wrong: string;
}
