// How a CSV file is written, as its header shows: what separates the cells, what ends a line, and whether it begins with
// the mark of UTF-8.

import type { CsvFormat } from './row.ts';

export type CsvDialect = Omit<CsvFormat, 'header'>;

/** `text`: the beginning of the file, with all of its header. Empty lines may stand before that. */
export function detectCsvDialect(text: string, hasByteOrderMark: boolean): CsvDialect {
  const seen = new Set<string>();
  let lineEnd: string | undefined;
  let isQuoted = false;
  // One by one, since a regular expression for quoted cells runs out of stack in a cell of some megabytes.
  for (let at = 0; at < text.length; at++) {
    const one = text.charAt(at);
    if (one === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (one !== '\n' && one !== '\r') seen.add(one);
    else if (seen.size > 0) {
      lineEnd = text.startsWith('\r\n', at) ? '\r\n' : one;
      break;
    }
  }
  return {
    // The comma, or what stands in its place where spreadsheets write it otherwise.
    delimiter: [',', ';', '\t'].find((one) => seen.has(one)) ?? ',',
    lineEnd: lineEnd ?? '\n',
    hasByteOrderMark: hasByteOrderMark,
  };
}
