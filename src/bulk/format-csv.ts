// Formats rows of CSV like the file that was read. The only file that imports csv-stringify; it is loaded only where rows
// are written.

import { stringify } from 'csv-stringify/sync';
import type { CsvFormat } from './row.ts';

/**
 * One row, with its line end; quoted only where needed.
 * @see [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
 */
export function formatCsvRow(
  { delimiter, lineEnd }: Pick<CsvFormat, 'delimiter' | 'lineEnd'>,
  cells: readonly string[],
): string {
  return stringify([[...cells]], {
    delimiter,
    record_delimiter: lineEnd,
    // Line ends of either kind; and leading or trailing spaces, which some readers trim.
    quoted_match: /[\r\n]|^\s|\s$/,
    // An unquoted empty cell alone would be an empty line, which readers skip.
    quoted_empty: cells.length === 1,
  });
}
