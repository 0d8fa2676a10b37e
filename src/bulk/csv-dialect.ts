// Detects from the header how a CSV file is written: its delimiter, its line end, its byte order mark.

import type { CsvFormat } from './row.ts';

export type CsvDialect = Omit<CsvFormat, 'header'>;

/** The line above the header by which a spreadsheet names the delimiter: `sep=;`. */
const separatorLine = /^\s*"?sep=([^"\r\n])"?(\r\n|\n|\r|$)/i;

/** `text`: the beginning of the file, with its whole header, after any empty lines. Never throws. */
export function detectCsvDialect(text: string, hasByteOrderMark: boolean): CsvDialect {
  const [line = '', separator, end = ''] = separatorLine.exec(text) ?? [];
  if (separator !== undefined)
    return { delimiter: separator, lineEnd: end || '\n', hasByteOrderMark, separatorLine: line };
  const unquoted = new Set<string>();
  let lineEnd = '\n';
  let isQuoted = false;
  // Character by character: a regular expression for quoted cells runs out of stack in a cell of some megabytes.
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character !== '\n' && character !== '\r') unquoted.add(character);
    else if (unquoted.size > 0) {
      lineEnd = text.startsWith('\r\n', index) ? '\r\n' : character;
      break;
    }
  }
  return {
    // Spreadsheets write a semicolon where the comma is the decimal separator.
    delimiter: [',', ';', '\t'].find((character) => unquoted.has(character)) ?? ',',
    lineEnd,
    hasByteOrderMark,
  };
}
