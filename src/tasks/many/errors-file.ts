// `--errors FILE`: the rows that were invalid or failed, in the format of the input. Once fixed, it can be sent as it is: the columns
// that it adds (line, outcome, reason) are skipped. They come first, so that they stay in place in a row of the wrong length.

import type { CsvFormat, Source } from '#bulk/row.ts';
import { isJsonObject, parseJsonIfValid } from '#contract/json.ts';
import type { World } from '#world/world.ts';
import { addedColumns, isAddedColumn } from './csv-columns.ts';
import type { Rows } from './read-rows.ts';

export interface ErrorRow {
  /** Where the row begins in the input. */
  readonly line: number;
  readonly source: Source;
  readonly outcome: 'failed' | 'invalid';
  readonly reason: string;
}

/** Replaces the file of an earlier run. `csv`: the format of CSV input; undefined for NDJSON. */
export async function openErrorsFile(
  { files }: Pick<World, 'files'>,
  path: string,
  csv: CsvFormat | undefined,
) {
  const { head, row } = csv ? await csvFormat(csv) : jsonFormat;
  const file = await files.append(path, { mode: 0o600, truncate: true });
  let isNew = file.size === 0;
  let count = 0;
  return {
    /** Throws if the file cannot be written. */
    add(added: ErrorRow) {
      file.write((isNew ? head : '') + row(added));
      isNew = false;
      count++;
    },
    get count() {
      return count;
    },
    close: () => file.close(),
  };
}

/** For a run that sends nothing: otherwise the rows of an earlier run would be fixed and sent once more. */
export async function writeInvalidRows(world: Pick<World, 'files'>, path: string, { csv, batches }: Rows) {
  const file = await openErrorsFile(world, path, csv);
  try {
    for await (const batch of batches)
      for (const row of batch.filter((row) => 'invalid' in row))
        file.add({ ...row, outcome: 'invalid', reason: row.invalid });
  } finally {
    await file.close();
  }
}

interface Format {
  /** The line above the first row; empty for NDJSON. */
  readonly head: string;
  row(row: ErrorRow): string;
}

async function csvFormat(csv: CsvFormat): Promise<Format> {
  const { header, hasByteOrderMark, separatorLine = '', ...dialect } = csv;
  const { formatCsvRow } = await import('#bulk/format-csv.ts');
  // The columns that an older errors file added are replaced.
  const isAdded = header.map((title) => isAddedColumn(title.trim()));
  const inputCells = (cells: readonly string[]) => cells.filter((_, index) => isAdded[index] !== true);
  return {
    head: `${hasByteOrderMark ? '\ufeff' : ''}${separatorLine}${formatCsvRow(dialect, [...addedColumns, ...inputCells(header)])}`,
    row: ({ line, source, outcome, reason }) =>
      formatCsvRow(dialect, [String(line), outcome, reason, ...inputCells([source].flat())]),
  };
}

/** What this file adds at the start of a line of JSON; an older wm wrote no outcome. */
const addedMembers = /^\{"line":\d+,(?:"outcome":"[a-z-]+",)?"error":"(?:[^"\\]|\\.)*",?/;

/** Keeps the line's own text, with numbers of any length. A line that is not JSON is copied unchanged, to be fixed. */
const jsonFormat: Format = {
  head: '',
  row({ line, source, outcome, reason }) {
    const trimmed = String(source).trim();
    const rest = trimmed.startsWith('{')
      ? trimmed.replace(addedMembers, '{').slice(1).trimStart()
      : undefined;
    if (rest === undefined || !isJsonObject(parseJsonIfValid(trimmed))) return `${trimmed}\n`;
    const start = `{"line":${line},"outcome":"${outcome}","error":${JSON.stringify(reason)}`;
    return rest.startsWith('}') ? `${start}${rest}\n` : `${start},${rest}\n`;
  },
};
