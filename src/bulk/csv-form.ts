// How a CSV file is written, as its header shows: what separates the cells, what ends a line, and whether it begins with
// the mark of UTF-8.

import type { CsvForm } from './row.ts';

export type CsvShape = Omit<CsvForm, 'header'>;

/** `text`: the beginning of the file, with all of its header. */
export function csvShapeOf(text: string, hasMark: boolean): CsvShape {
  const unquoted = text.replace(/"(?:[^"]|"")*"/g, '');
  const header = unquoted.split(/[\r\n]/, 1)[0] ?? '';
  return {
    // The comma, or what stands in its place where spreadsheets write it otherwise.
    delimiter: [',', ';', '\t'].find((one) => header.includes(one)) ?? ',',
    lineEnd: /\r\n|\n|\r/.exec(unquoted)?.[0] ?? '\n',
    hasMark,
  };
}
