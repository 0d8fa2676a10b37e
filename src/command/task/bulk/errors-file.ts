// `--errors FILE`: the rows that were invalid or failed, in the form of the input, each with its line there and the reason.
// Fixed, the file can be sent as it is: what it has added is skipped. Both come first, so that the reason has its own
// column behind which a row of the wrong length still has its wrong length.

import type { CsvFormat, Source } from '../../../bulk/row.ts';
import { parseJsonIfValid } from '../../../contract/json.ts';
import type { AppendFile, World } from '../../../world/world.ts';
import { addedColumns, isAddedColumn } from './added-columns.ts';
import type { Rows } from './read-rows.ts';

export interface ErrorsFile {
  /** `source`: the row as it was in the input, which begins at `line`. Throws where it cannot be written. */
  add(line: number, source: Source, reason: string): void;
  /** How many were added. */
  readonly count: number;
  close(): Promise<void>;
}

/** In the place of what an earlier run wrote there. `csv`: the form of CSV input; NDJSON has none. */
export async function openErrorsFile(
  { files }: Pick<World, 'files'>,
  path: string,
  csv: CsvFormat | undefined,
): Promise<ErrorsFile> {
  const format = csv ? await csvFormat(csv) : jsonFormat;
  return createErrorsFile(await files.append(path, { mode: 0o600, truncate: true }), format);
}

/** Where no row is sent: what an earlier run left in the file would be fixed and sent once more. */
export async function writeInvalidRows(
  world: Pick<World, 'files'>,
  path: string,
  { csv, batches }: Rows,
): Promise<void> {
  const file = await openErrorsFile(world, path, csv);
  try {
    for await (const batch of batches) {
      for (const item of batch) if ('invalid' in item) file.add(item.line, item.source, item.invalid);
    }
  } finally {
    await file.close();
  }
}

interface Format {
  /** What stands above the first row. */
  readonly head: string;
  row(line: number, source: Source, reason: string): string;
}

function createErrorsFile(file: AppendFile, { head, row }: Format): ErrorsFile {
  let isNew = file.size === 0;
  let count = 0;
  return {
    add(line, source, reason) {
      file.write((isNew ? head : '') + row(line, source, reason));
      isNew = false;
      count++;
    },
    get count() {
      return count;
    },
    close: () => file.close(),
  };
}

async function csvFormat({ header, hasByteOrderMark, ...shape }: CsvFormat): Promise<Format> {
  const { formatCsvRow } = await import('../../../bulk/format-csv.ts');
  // Those of an earlier file of errors, which are written anew.
  const old = header.map((title) => isAddedColumn(title.trim()));
  const others = (cells: readonly string[]) => cells.filter((_, at) => old[at] !== true);
  return {
    head: `${hasByteOrderMark ? '\ufeff' : ''}${formatCsvRow(shape, [...addedColumns, ...others(header)])}`,
    row: (line, source, reason) =>
      formatCsvRow(shape, [String(line), reason, ...others(typeof source === 'string' ? [source] : source)]),
  };
}

/** As these lines begin. */
const addedMembers = /^\{"line":\d+,"error":"(?:[^"\\]|\\.)*",?/;

/** The line stays as it was written, numbers of any length and all; one that is no JSON is left as it is, to be fixed. */
const jsonFormat: Format = {
  head: '',
  row(line, source, reason) {
    const trimmed = String(source).trim();
    const rest = trimmed.startsWith('{')
      ? trimmed.replace(addedMembers, '{').slice(1).trimStart()
      : undefined;
    if (rest === undefined || !isObject(trimmed)) return `${trimmed}\n`;
    const own = `{"line":${line},"error":${JSON.stringify(reason)}`;
    return rest.startsWith('}') ? `${own}${rest}\n` : `${own},${rest}\n`;
  },
};

function isObject(text: string): boolean {
  const value = parseJsonIfValid(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
