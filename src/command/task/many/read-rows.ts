// The rows of an input, understood: CSV by its header and the flags, NDJSON by the contract's parameters. Which of the
// two it is, its first character tells.

import { type JsonLine, jsonLines } from '../../../bulk/ndjson.ts';
import type { CsvForm, WrongInput } from '../../../bulk/row.ts';
import { type Piece, wholeLines } from '../../../bulk/text.ts';
import { nearestWords } from '../../../contract/did-you-mean.ts';
import { formatValue, ValidationError } from '../../../contract/schema.ts';
import { usageError } from '../../../failure.ts';
import { type BuiltUpdate, buildUpdate, type UpdateFlagValues } from '../input/build-update.ts';
import { inputSchemas, isParameter, type ParameterName, parameterNames } from '../input/parameter-schemas.ts';
import type { UnresolvedUpdate } from '../input/unresolved-update.ts';
import { parameterOfShortFlag } from '../input/update-flags.ts';
import { type CsvColumns, csvColumns } from './csv-columns.ts';
import { merged } from './merged.ts';
import { isOwnColumn } from './own-columns.ts';
import type { Reading, TaskItem } from './reading.ts';

export type Format = 'CSV' | 'NDJSON';

export interface Rows {
  readonly format: Format;
  /** Of CSV: how it is written, as a file of its rows is again. */
  readonly csv: CsvForm | undefined;
  readonly items: AsyncIterable<readonly TaskItem[]>;
}

/** Throws a usage failure for what is no such file, now or while it is read. */
export async function readRows(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  line: UpdateFlagValues,
  reading: Reading,
): Promise<Rows> {
  const pieces = wholeLines(bytes)[Symbol.asyncIterator]();
  try {
    return await rowsOf(pieces, name, line, reading);
  } catch (error) {
    // Nobody reads the rest, so nobody else closes the file.
    await pieces.return?.(undefined);
    throw error;
  }
}

async function rowsOf(
  pieces: AsyncIterator<Piece | WrongInput>,
  name: string,
  line: UpdateFlagValues,
  reading: Reading,
): Promise<Rows> {
  const first = await firstFilled(pieces);
  if (!first) throw usageError(`${name} is empty`, 'It needs a header with "id" (CSV), or lines of JSON.');
  const again = rest(first, pieces);
  const start = 'wrong' in first ? '' : first.text.trimStart().charAt(0);
  if (start === '[') {
    throw usageError(`${name} is a JSON list`, "Make it lines of JSON, one object each: jq -c '.[]' FILE");
  }
  if (start === '{') return { format: 'NDJSON', csv: undefined, items: fromJson(again, name, line, reading) };
  const [{ csvRows }, { csvShapeOf }] = await Promise.all([
    import('../../../bulk/csv.ts'),
    import('../../../bulk/csv-form.ts'),
  ]);
  const rows = csvRows(again);
  const [header, ...entries] = await firstBatch(rows, name);
  if (!header) throw usageError(`${name} is empty`);
  const columns = csvColumns(header.value);
  const { text, hasMark } = 'wrong' in first ? { text: '', hasMark: false } : first;
  return {
    format: 'CSV',
    csv: { header: header.value, ...csvShapeOf(text, hasMark === true) },
    items: fromCsv(rest(entries, rows), name, columns, line, reading),
  };
}

/** The first that is more than empty lines; nothing where all are. */
async function firstFilled(
  pieces: AsyncIterator<Piece | WrongInput>,
): Promise<Piece | WrongInput | undefined> {
  let hasMark = false;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    const piece = next.value;
    if ('wrong' in piece) return piece;
    hasMark ||= piece.hasMark === true;
    if (piece.text.trim() !== '') return hasMark ? { ...piece, hasMark } : piece;
  }
  return undefined;
}

/** The first that holds anything: the parser may want more before it gives a row. */
async function firstBatch<T>(
  batches: AsyncIterator<readonly T[] | WrongInput>,
  name: string,
): Promise<readonly T[]> {
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    if ('wrong' in next.value) throw wrongInput(name, next.value);
    if (next.value.length > 0) return next.value;
  }
  return [];
}

async function* rest<T>(first: T, more: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield first;
    for (let next = await more.next(); !next.done; next = await more.next()) yield next.value;
  } finally {
    await more.return?.();
  }
}

function cellsOf(number: number): string {
  return number === 1 ? '1 cell' : `${number} cells`;
}

function wrongInput(name: string, { line, wrong, cure }: WrongInput) {
  const nothing = 'Nothing after it can be read, so nothing was sent.';
  return usageError(`${name}, line ${line}: ${wrong}`, cure === undefined ? nothing : `${cure}\n${nothing}`);
}

async function* fromCsv(
  batches: AsyncIterable<readonly { line: number; value: readonly string[] }[] | WrongInput>,
  name: string,
  columns: CsvColumns,
  line: UpdateFlagValues,
  reading: Reading,
): AsyncGenerator<readonly TaskItem[]> {
  const base = Object.keys(line).length > 0;
  const understand = (cells: readonly string[]) => {
    if (cells.length !== columns.width) {
      throw new ValidationError(`This row has ${cellsOf(cells.length)};`, `the header has ${columns.width}`);
    }
    const own = columns.flagsOf(cells);
    const flags = base ? merged(line, own) : own;
    return {
      id: cells[columns.idAt] ?? '',
      built: buildUpdate(flags, reading.now),
      clearingIsMeant: flags.allowClearingDates === true,
    };
  };
  for await (const batch of batches) {
    if ('wrong' in batch) throw wrongInput(name, batch);
    const items: TaskItem[] = [];
    for (const { line: at, value } of batch) {
      const item = reading.item({ line: at, source: value, id: value[columns.idAt] }, () =>
        understand(value),
      );
      items.push(item instanceof Promise ? await item : item);
    }
    yield items;
  }
}

async function* fromJson(
  pieces: AsyncIterable<Piece | WrongInput>,
  name: string,
  line: UpdateFlagValues,
  reading: Reading,
): AsyncGenerator<readonly TaskItem[]> {
  const base = buildUpdate(line, reading.now);
  const hasBase = Object.keys(base.update).length > 0;
  const clearingIsMeant = line.allowClearingDates === true;
  const understand = ({ value, invalid, twice }: JsonLine) => {
    if (invalid !== undefined) throw new ValidationError('the line', invalid);
    if (twice !== undefined) throw new ValidationError(formatValue(twice), 'is given twice in this row');
    const { id, update } = understood(value);
    const built: BuiltUpdate = {
      update: hasBase ? merged(base.update, update) : update,
      relativeDates: base.relativeDates,
    };
    return { id, built, clearingIsMeant };
  };
  for await (const batch of jsonLines(pieces)) {
    if ('wrong' in batch) throw wrongInput(name, batch);
    const items: TaskItem[] = [];
    for (const { line: at, value } of batch) {
      const place = { line: at, source: value.text, id: idIn(value.value) };
      const item = reading.item(place, () => understand(value));
      items.push(item instanceof Promise ? await item : item);
    }
    yield items;
  }
}

/** One line of NDJSON: `id`, and parameters by the contract's own names and in its JSON forms. */
function understood(value: unknown): { id: string; update: UnresolvedUpdate } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ValidationError(formatValue(value), 'is not an object');
  const update: Record<string, unknown> = {};
  let id: string | undefined;
  const members: Readonly<Record<string, unknown>> = { ...value };
  for (const name in members) {
    const member = members[name];
    if (name === 'id') id = typeof member === 'string' ? member : refuseId(member);
    else if (isParameter(name)) update[name] = checked(name, member);
    else if (!isOwnColumn(name)) throw unknownMember(name);
  }
  if (id === undefined) throw new ValidationError('the line', 'has no "id"');
  // Every member was validated by its own schema.
  return { id, update: update as UnresolvedUpdate };
}

function idIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' ? value.id : undefined;
}

function checked(name: ParameterName, member: unknown): unknown {
  try {
    return inputSchemas[name].validate(member);
  } catch (error) {
    if (error instanceof ValidationError) throw new ValidationError(`${name}: ${error.value}`, error.problem);
    throw error;
  }
}

function refuseId(member: unknown): never {
  throw new ValidationError(`id: ${formatValue(member)}`, 'is not text');
}

function unknownMember(name: string): ValidationError {
  if (isShort(name))
    return new ValidationError(
      formatValue(name),
      `is not the name of a parameter; it is said in ${parameterOfShortFlag[name]}`,
    );
  const near = nearestWords(name, parameterNames);
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
  return new ValidationError(formatValue(name), `is not the name of a parameter${hint}`);
}

function isShort(name: string): name is keyof typeof parameterOfShortFlag {
  return Object.hasOwn(parameterOfShortFlag, name);
}
