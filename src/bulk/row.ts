// A row of a bulk run: the update to send, and its place in the input. `U` is the type of the update, which this folder only
// passes on.

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

/** A row that may not be sent. */
export interface InvalidRow extends RowPosition {
  readonly id: string | undefined;
  /** Why. */
  readonly invalid: string;
}

export type Row<U> = ValidRow<U> | InvalidRow;

/** Rows in the order of the input, many at a time, because a promise for each would cost more than the row itself. */
export type RowBatches<U> = AsyncIterable<readonly Row<U>[]>;

/** A row before its values are read. */
export interface RawRow<T> {
  readonly line: number;
  readonly value: T;
}

/** Input that cannot be read from this line on. */
export interface UnreadableInput {
  readonly line: number;
  readonly problem: string;
  /** What to do about it, if known. */
  readonly fix?: string;
}

/** How a CSV file is written; a file of its rows is written the same way. */
export interface CsvFormat {
  readonly header: readonly string[];
  readonly delimiter: string;
  readonly lineEnd: string;
  /** It begins with U+FEFF, by which spreadsheets recognise UTF-8. */
  readonly hasByteOrderMark: boolean;
  /** `sep=;` with its line end, where it stands above the header. */
  readonly separatorLine?: string;
}
