// Formats rows of CSV like the file that was read.

import type { CsvFormat } from './row.ts';

/** What some readers trim, and line ends of either kind. */
const needsQuotes = /["\r\n]|^\s|\s$/;

/**
 * One row, with its line end; quoted only where needed.
 * @see [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
 */
export function formatCsvRow(
  { delimiter, lineEnd }: Pick<CsvFormat, 'delimiter' | 'lineEnd'>,
  cells: readonly string[],
): string {
  // A row of one empty cell would otherwise be an empty line, which is no row.
  const isQuoted = (cell: string) =>
    needsQuotes.test(cell) || cell.includes(delimiter) || (cell === '' && cells.length === 1);
  const texts = cells.map((cell) => (isQuoted(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return texts.join(delimiter) + lineEnd;
}
