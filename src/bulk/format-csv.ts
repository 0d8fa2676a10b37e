// Lines of CSV in the form of a file that was read: its delimiter, its line end, quotes where they are needed. The only
// file that knows csv-stringify, and one that is loaded only where rows are written.

import { stringify } from 'csv-stringify/sync';
import type { CsvFormat } from './row.ts';

/** One row, with its line end. */
export function formatCsvRow(
  { delimiter, lineEnd }: Pick<CsvFormat, 'delimiter' | 'lineEnd'>,
  cells: readonly string[],
): string {
  return stringify([[...cells]], {
    delimiter,
    record_delimiter: lineEnd,
    // Either end of a line, whichever the file has; and spaces at an end, which some readers cut off.
    quoted_match: /[\r\n]|^\s|\s$/,
    // A row of one empty cell would otherwise be an empty line, which is no row.
    quoted_empty: cells.length === 1,
  });
}
