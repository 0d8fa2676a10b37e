// `--errors FILE`: the rows that were refused or failed, in the form of the input, each with its reason. Mended, the file
// can be sent as it is: the reason is passed over.

import type { Source } from '../../../bulk/row.ts';
import type { Appending, World } from '../../../world/world.ts';
import { errorColumn } from './csv-columns.ts';
import type { Rows } from './read-rows.ts';

export interface ErrorsFile {
  /** `source`: the row as it was in the input. */
  add(source: Source, reason: string): void;
  /** How many were added. */
  readonly count: number;
  close(): Promise<void>;
}

/** In the place of what an earlier run wrote there. `header`: that of CSV input; NDJSON has none. */
export async function openErrorsFile(
  { files }: Pick<World, 'files'>,
  path: string,
  header: readonly string[] | undefined,
): Promise<ErrorsFile> {
  return createErrorsFile(await files.append(path, { mode: 0o600, anew: true }), header);
}

/** Where no row is sent: what an earlier run left in the file would be mended and sent once more. */
export async function writeRefused(
  world: Pick<World, 'files'>,
  path: string,
  { header, items }: Rows,
): Promise<void> {
  const file = await openErrorsFile(world, path, header);
  try {
    for await (const batch of items) {
      for (const item of batch) if ('refused' in item) file.add(item.source, item.refused);
    }
  } finally {
    await file.close();
  }
}

function createErrorsFile(file: Appending, header: readonly string[] | undefined): ErrorsFile {
  const errorAt = header?.indexOf(errorColumn) ?? -1;
  let isNew = file.size === 0;
  let count = 0;
  const line = (source: Source, reason: string): string => {
    if (typeof source === 'string') return withReason(source, reason);
    // Behind a row of too few cells, which is not to pass for a whole one.
    const hasColumn = errorAt !== -1 && source.length === header?.length;
    return csvLine(hasColumn ? source.with(errorAt, reason) : [...source, reason]);
  };
  return {
    add(source, reason) {
      const titles = isNew && header ? csvLine(errorAt === -1 ? [...header, errorColumn] : header) : '';
      isNew = false;
      file.write(titles + line(source, reason));
      count++;
    },
    get count() {
      return count;
    },
    close: () => file.close(),
  };
}

/** A line that is no JSON is left as it is, to be mended. */
function withReason(source: string, reason: string): string {
  const trimmed = source.trim();
  try {
    const value: unknown = JSON.parse(trimmed);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return `${JSON.stringify({ ...value, [errorColumn]: reason })}\n`;
    }
  } catch {
    // As it is, then.
  }
  return `${trimmed}\n`;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}
