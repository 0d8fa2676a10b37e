// The header of a CSV file: the flag of each column. A cell is what would be typed after the flag, but taken literally:
// no cell names a file. An empty cell leaves the field unchanged.

import { countOf } from '#cli/count-of.ts';
import { type Flag, toKebabCase } from '#cli/flags/flag.ts';
import { foldName } from '#cli/resolve/text-match.ts';
import { datedParameters, dateTypes } from '#cli/slashed-dates.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { formatValue, invalidValue, ValidationError, withPath } from '#contract/schema.ts';
import { isTaskUpdateParameter, type TaskUpdateParameter } from '#contract/task.ts';
import { usageError } from '#failure.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { isPlainParameter } from '../input/unresolved-update.ts';
import { parameterOfShortFlag, updateFlags } from '../input/update-flags.ts';
import type { BulkFlags } from './flags.ts';

/** --errors adds these to each row, before the columns of the input. They are skipped when such a file is sent. */
export const addedColumns = ['line', 'outcome', 'error'] as const;

export const isAddedColumn = (title: string) => addedColumns.some((column) => column === title.toLowerCase());

export type CsvColumns = ReturnType<typeof csvColumns>;

interface Column {
  readonly title: string;
  readonly name: FlagName;
  readonly holdsDates: boolean;
  parse(cell: string): unknown;
}

/** Throws a usage failure if the first line is not a header. */
export function csvColumns(
  header: readonly string[],
  { columns: included, ignoreColumn = [] }: Pick<BulkFlags, 'columns' | 'ignoreColumn'>,
) {
  const titles = header.map((title) => title.trim());
  const idIndex = titles.findIndex((title) => title.toLowerCase() === 'id');
  if (idIndex === -1)
    throw usageError(
      `The first line has no column "id": ${formatValue(titles.join(','))}`,
      'CSV starts with a header: id, and the names of flags (title, status, due, add-responsibles...).',
    );
  if (titles.some((title, index) => index > idIndex && title.toLowerCase() === 'id'))
    throw usageError('The column id appears twice', 'Remove one of them.');
  const missing = included?.find((name) => !titles.some((title) => isSameTitle(name, title)));
  if (missing !== undefined)
    throw usageError(
      `--columns: the file has no column ${formatValue(missing)}`,
      `It has: ${titles
        .filter(Boolean)
        .map((title) => formatValue(title))
        .join(', ')}`,
    );
  const unknown: string[] = [];
  const columns = titles.map((title, index) => {
    if (index === idIndex || title === '' || isAddedColumn(title)) return undefined;
    if (ignoreColumn.some((name) => isSameTitle(name, title))) return undefined;
    if (included?.some((name) => isSameTitle(name, title)) === false) return undefined;
    const column = createColumn(title);
    if (!column) unknown.push(title);
    return column;
  });
  if (unknown.length > 0) throw unknownColumns(unknown);
  for (const [index, column] of columns.entries()) {
    const first = columns.findIndex((earlier) => earlier?.name === column?.name);
    if (column && first < index && !updateFlags[column.name].repeats)
      throw usageError(`The column ${column.title} appears twice`, 'Remove one of them.');
  }
  return {
    idIndex,
    /** The positions of columns without a name, which are skipped: spreadsheets leave them behind a table. */
    withoutName: [...titles.keys()].filter((index) => titles[index] === ''),
    dates: [...columns.keys()].filter((index) => columns[index]?.holdsDates),
    isPlain: columns.every((column) => !column || isPlainFlag(column.name)),
    /** Rows may need their tasks read. */
    mayKeepStart: columns.some((column) => column?.name === 'keepStart'),
    /** The id and the flags of a row. Throws a {@link ValidationError} for an invalid cell or another length. */
    parseRow(cells: readonly string[]) {
      if (cells.length !== columns.length)
        throw new ValidationError(
          `This row has ${countOf(cells.length, 'cell')};`,
          `the header has ${columns.length}`,
        );
      const flags: Record<string, unknown> = {};
      let id = '';
      for (const [index, cell] of cells.entries()) {
        if (index === idIndex) id = cell;
        const column = columns[index];
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

/** Undefined for a title that is not the name of a flag. */
function createColumn(title: string): Column | undefined {
  const [head = '', ...rest] = title.split(':');
  const name = flagNames.get(normalizeTitle(head));
  const key = rest.join(':');
  const takesKey = name === 'customField' || name === 'metadata';
  if (name === undefined || (key !== '' && !takesKey)) return undefined;
  const flag: Flag<unknown> = updateFlags[name];
  const parseCell = (cell: string) =>
    flag.placeholder === undefined
      ? parseBoolean(cell, flag)
      : flag.parse([key === '' ? cell : `${key}=${cell}`]);
  // Many rows have the value of the row above: the same status, the same day.
  let last: { readonly cell: string; readonly value: unknown } | undefined;
  return {
    title,
    name,
    holdsDates: dateTypes.has(flag.type) || datedParameters.includes(name),
    parse(cell) {
      if (last?.cell !== cell) last = { cell, value: withPath(title, () => parseCell(cell)) };
      return last.value;
    },
  };
}

/** A cell must say true or false. A flag without a `--no-` form is not set by false. */
function parseBoolean(cell: string, flag: Flag<unknown>): boolean | undefined {
  const text = cell.trim().toLowerCase();
  if (text !== 'true' && text !== 'false') throw invalidValue(cell, 'is not one of true, false');
  return text === 'true' || (flag.negatable ? false : undefined);
}

type FlagName = keyof typeof updateFlags;

const parameterOf = new Map<string, TaskUpdateParameter>(Object.entries(parameterOfShortFlag));

/** Whether the parameter that the flag sets is plain. */
export function isPlainFlag(name: string): boolean {
  const parameter = isTaskUpdateParameter(name) ? name : parameterOf.get(name);
  return parameter === undefined || isPlainParameter(parameter);
}

export const isSameTitle = (a: string, b: string): boolean => normalizeTitle(a) === normalizeTitle(b);

/** `addResponsibles`, `add-responsibles` and `Add Responsibles` are one title. */
const normalizeTitle = (title: string): string => foldName(title).replace(/[\s_-]/g, '');

const flagNames: ReadonlyMap<string, FlagName> = new Map(
  // The object's keys are the names of flags and nothing else.
  (Object.keys(updateFlags) as FlagName[]).map((name) => [normalizeTitle(name), name]),
);

function unknownColumns(titles: readonly string[]) {
  const validNames = ['id', ...Object.keys(updateFlags).map(toKebabCase)];
  const names = titles.map((title) => formatValue(title));
  const near = titles.flatMap((title, index) => {
    const question = didYouMean(title.split(':')[0] ?? '', validNames);
    return question === undefined ? [] : titles.length === 1 ? question : `${names[index]}: ${question}`;
  });
  const isSingle = titles.length === 1;
  const list = JSON.stringify(titles).replaceAll("'", '\\u0027');
  return usageError(
    isSingle
      ? `The column ${names[0]} is not the name of a flag`
      : `The columns ${joinWithAnd(names)} are not names of flags`,
    [
      ...(near.length > 0 ? near : ['The names are those of its flags: wm task update --help all']),
      `To skip ${isSingle ? 'it' : 'them'}: --ignore-column '${list}'`,
    ].join('\n'),
    'Unknown columns are an error, so that no change is lost.',
  );
}
