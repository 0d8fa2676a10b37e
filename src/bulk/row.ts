// A row of a bulk: what is to be sent for it, and where in the input it stands. `U` is what an update is; this folder
// never looks into it.

/** What a row was in the input, to be written out again as it came: a line of NDJSON, or the cells of CSV. */
export type Source = string | readonly string[];

interface RowPosition {
  /** Of the input, counted from 1, where the row begins: the row's name in the journal and wherever it is reported. */
  readonly line: number;
  readonly source: Source;
}

export interface ValidRow<U> extends RowPosition {
  readonly id: string;
  readonly update: U;
}

/** A row that may not be sent. */
export interface InvalidRow extends RowPosition {
  readonly id: string | undefined;
  readonly invalid: string;
}

export type Row<U> = ValidRow<U> | InvalidRow;

/** Rows in the order of the input, many at a time, because a promise for each would cost more than the row itself. */
export type RowBatches<U> = AsyncIterable<readonly Row<U>[]>;

/** A row as it was read, before anybody has understood it. */
export interface RawRow<T> {
  readonly line: number;
  readonly value: T;
}

/** Input that cannot be read at all from this line on. */
export interface UnreadableInput {
  readonly line: number;
  readonly problem: string;
  /** What to do about it, where that is known. */
  readonly fix?: string;
}

/** How a CSV file is written: a file of its rows is written the same way. */
export interface CsvFormat {
  readonly header: readonly string[];
  readonly delimiter: string;
  readonly lineEnd: string;
  /** It begins with the mark by which spreadsheets know UTF-8. */
  readonly hasByteOrderMark: boolean;
}
