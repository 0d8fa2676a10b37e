// The header of a CSV file: the flag of each column. A cell is what would be typed after the flag, but taken literally:
// no cell names a file. An empty cell leaves the field unchanged.

import { type Flag, toKebabCase } from '#cli/flags/flag.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { formatValue, ValidationError, withPath } from '#contract/schema.ts';
import { commandHint, usageError } from '#failure.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { parseFieldAssignment, updateFlags } from '../input/update-flags.ts';

/** What --errors adds to each row, before the columns of the input. They are skipped when such a file is sent. */
export const addedColumns = ['line', 'outcome', 'error'] as const;

export function isAddedColumn(title: string): boolean {
  return addedColumns.some((one) => one === title.toLowerCase());
}

export interface CsvColumns {
  readonly idAt: number;
  /**
   * What a row says: the id, and the flags' own values. Throws a {@link ValidationError} for a cell that is invalid, which
   * names the column, and for a row of another length.
   */
  parseRow(cells: readonly string[]): { readonly id: string; readonly flags: UpdateFlagValues };
}

interface Column {
  readonly title: string;
  readonly name: FlagName;
  parse(cell: string): unknown;
}

/** Throws a usage failure for a header that is none. */
export function csvColumns(header: readonly string[]): CsvColumns {
  const titles = header.map((title) => title.trim());
  const idAt = titles.findIndex((title) => title.toLowerCase() === 'id');
  if (idAt === -1) {
    throw usageError(
      `The first line has no column "id": ${formatValue(titles.join(','))}`,
      'CSV starts with a header: id, and the names of flags (title, status, due, add-responsibles...).',
    );
  }
  if (titles.some((title, at) => at > idAt && title.toLowerCase() === 'id'))
    throw usageError('The column id appears twice', 'Remove one of them.');
  const columns = titles.map((title, at) =>
    at === idAt || isAddedColumn(title) ? undefined : createColumn(title),
  );
  for (const [at, column] of columns.entries()) {
    const first = columns.findIndex((one) => one?.name === column?.name);
    if (column && first < at && !updateFlags[column.name].repeats) {
      throw usageError(`The column ${column.title} appears twice`, 'Remove one of them.');
    }
  }
  return {
    idAt,
    parseRow(cells) {
      if (cells.length !== columns.length) {
        throw new ValidationError(
          `This row has ${formatCells(cells.length)};`,
          `the header has ${columns.length}`,
        );
      }
      const flags: Record<string, unknown> = {};
      let id = '';
      for (const [at, cell] of cells.entries()) {
        if (at === idAt) id = cell;
        const column = columns[at];
        if (column === undefined || cell === '') continue;
        const value = column.parse(cell);
        if (value === undefined) continue;
        const before = flags[column.name];
        flags[column.name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
      }
      // Each value is what the flag's own `parse` gave.
      return { id, flags: flags as UpdateFlagValues };
    },
  };
}

function createColumn(title: string): Column {
  const { name, parse } = chooseColumn(title);
  // Many rows have the value of the row above: the same status, the same day.
  let last: { readonly cell: string; readonly value: unknown } | undefined;
  return {
    title,
    name,
    parse(cell) {
      if (last?.cell !== cell) last = { cell, value: withPath(title, () => parse(cell)) };
      return last.value;
    },
  };
}

function chooseColumn(title: string): Pick<Column, 'name' | 'parse'> {
  const [head = '', ...rest] = title.split(':');
  const name = flagNames.get(normalizeTitle(head));
  const key = rest.join(':');
  if (name === 'customField' && key !== '') {
    return { name, parse: (cell) => [parseFieldAssignment(`${key}=${cell}`)] };
  }
  if (name === 'metadata' && key !== '') {
    return { name, parse: (cell) => updateFlags.metadata.parse([`${key}=${cell}`]) };
  }
  if (name === undefined || key !== '') throw unknownColumn(title);
  const flag: Flag<unknown> = updateFlags[name];
  return {
    name,
    parse: flag.placeholder === undefined ? (cell) => parseBoolean(cell, flag) : (cell) => flag.parse([cell]),
  };
}

function formatCells(number: number): string {
  return number === 1 ? '1 cell' : `${number} cells`;
}

/** A cell says yes or no in full; a switch without a no is only ever on. */
function parseBoolean(cell: string, flag: Flag<unknown>): boolean | undefined {
  const text = cell.trim().toLowerCase();
  if (text !== 'true' && text !== 'false')
    throw new ValidationError(formatValue(cell), 'is not one of true, false');
  return text === 'true' || (flag.negatable ? false : undefined);
}

type FlagName = keyof typeof updateFlags;

/** `addResponsibles`, `add-responsibles` and `Add Responsibles` are one title. */
function normalizeTitle(title: string): string {
  return title.toLowerCase().replace(/[\s_-]/g, '');
}

const flagNames: ReadonlyMap<string, FlagName> = new Map(
  // Their keys are the flags' names and nothing else.
  (Object.keys(updateFlags) as FlagName[]).map((name) => [normalizeTitle(name), name]),
);

function unknownColumn(title: string) {
  const [head = ''] = title.split(':');
  const known = ['id', ...Object.keys(updateFlags).map(toKebabCase)];
  return usageError(
    `The column ${formatValue(title)} is not the name of a flag`,
    didYouMean(head, known) ?? commandHint('The names are those of its flags: ', 'wm task update --help'),
    'Unknown columns are an error, so that no change is lost.',
  );
}
