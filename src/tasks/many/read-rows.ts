// Reads the rows of an input: CSV by its header and the flags, NDJSON by the contract's parameters. The first character
// decides which of the two it is.

import { detectCsvDialect } from '#bulk/csv-dialect.ts';
import { decodeLines, type TextChunk } from '#bulk/decode-lines.ts';
import { type JsonLine, parseNdjson } from '#bulk/parse-ndjson.ts';
import type { CsvFormat, UnreadableInput } from '#bulk/row.ts';
import { splitJsonList } from '#bulk/split-json-list.ts';
import { slashed } from '#cli/slashed-dates.ts';
import { didYouMean, nearestWords } from '#contract/did-you-mean.ts';
import { joinWithOr } from '#contract/format-list.ts';
import { isJsonObject } from '#contract/json.ts';
import { limit } from '#contract/limit.ts';
import { atPath, formatValue, ValidationError } from '#contract/schema.ts';
import { isTaskUpdateParameter, type TaskUpdateParameter, taskUpdateParameterNames } from '#contract/task.ts';
import { isEmptyValue } from '#contract/task-rules.ts';
import { usageError } from '#failure.ts';
import { buildUpdate, type UpdateFlagValues } from '../input/build-update.ts';
import type { UnresolvedUpdate } from '../input/unresolved-update.ts';
import { inputSchemas, parameterOfShortFlag } from '../input/update-flags.ts';
import { type CsvColumns, csvColumns, isAddedColumn, isSameTitle } from './csv-columns.ts';
import { allowEmptyHint, type BulkFlags } from './flags.ts';
import { conjugate, formatCount, formatRows } from './format-quantity.ts';
import type { ParsedRow, RowResolver, TaskRow } from './row-resolver.ts';

export type Format = 'CSV' | 'NDJSON';

export interface Rows {
  readonly format: Format;
  /** Of CSV: how it is written, as a file of its rows is again. */
  readonly csv: CsvFormat | undefined;
  readonly batches: AsyncIterable<readonly TaskRow[]>;
  /** What was skipped in the batches so far, in words. */
  skipped(): readonly string[];
}

/** The flags that choose which cells of a row are used. */
export type RowFlags = Pick<BulkFlags, 'columns' | 'ignoreColumn' | 'allowEmpty'>;

/** Throws a usage failure if the input is neither CSV nor NDJSON; the returned rows may throw it too, as they are read. */
export async function readRows(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  line: UpdateFlagValues,
  flags: RowFlags,
  reading: RowResolver,
): Promise<Rows> {
  const fail = (problem: string): never => {
    throw usageError(`${name}: ${problem}`, 'It may not be whole, so nothing was sent.');
  };
  const pieces = decodeLines(splitJsonList(bytes, fail))[Symbol.asyncIterator]();
  try {
    return await rowsOf(pieces, name, line, flags, reading);
  } catch (error) {
    // No reader is left that would close the file at its end.
    await pieces.return?.(undefined);
    throw error;
  }
}

async function rowsOf(
  pieces: AsyncIterator<TextChunk | UnreadableInput>,
  name: string,
  line: UpdateFlagValues,
  flags: RowFlags,
  reading: RowResolver,
): Promise<Rows> {
  const first = await firstNonEmpty(pieces);
  if (!first) {
    if (flags.allowEmpty) return { format: 'NDJSON', csv: undefined, batches: none(), skipped: () => [] };
    throw usageError(
      `${name} is empty`,
      `It needs a header with "id" (CSV), or lines of JSON. ${allowEmptyHint}`,
    );
  }
  if ('problem' in first) throw unreadableFailure(name, first);
  const again = prepend<TextChunk | UnreadableInput>(first, pieces);
  if (/^\s*[{[]/.test(first.text)) {
    const taken = { records: 0 };
    const batches = readNdjson(again, name, taken, line, flags, reading);
    return { format: 'NDJSON', csv: undefined, batches, skipped: () => describeRecords(taken) };
  }
  const { parseCsv } = await import('#bulk/parse-csv.ts');
  const rows = parseCsv(again);
  const { header, entries } = await firstBatch(rows, name);
  const columns = csvColumns(header.value, flags);
  const skipped = { emptyRows: 0, valuesWithoutName: 0 };
  return {
    format: 'CSV',
    csv: { header: header.value, ...detectCsvDialect(first.text, first.hasByteOrderMark === true) },
    batches: readCsv(prepend(entries, rows), name, columns, skipped, line, reading),
    skipped: () => describeSkipped(columns, skipped),
  };
}

async function* none(): AsyncGenerator<never> {}

function describeRecords({ records }: { readonly records: number }): readonly string[] {
  if (records === 0) return [];
  const which = records === 1 ? 'the id of 1 record' : `the ids of ${formatCount(records)} records`;
  return [`all but ${which}; to send more of ${records === 1 ? 'it' : 'them'}: --columns title,status`];
}

interface SkippedCells {
  /** Rows of empty cells, as a spreadsheet leaves them below a table. */
  emptyRows: number;
  /** Rows with a value in a column without a name. */
  valuesWithoutName: number;
}

function describeSkipped(
  { withoutName }: CsvColumns,
  { emptyRows, valuesWithoutName }: SkippedCells,
): readonly string[] {
  const verb = conjugate(valuesWithoutName, 'has');
  const values = valuesWithoutName > 0 ? ` (${formatRows(valuesWithoutName)} ${verb} values there)` : '';
  const columns = withoutName.length === 1 ? '1 column' : `${formatCount(withoutName.length)} columns`;
  return [
    ...(withoutName.length > 0 ? [`${columns} without a name${values}`] : []),
    ...(emptyRows > 0 ? [`${formatRows(emptyRows)} of empty cells`] : []),
  ];
}

/** The first chunk with more than empty lines; undefined if there is none. */
async function firstNonEmpty(
  pieces: AsyncIterator<TextChunk | UnreadableInput>,
): Promise<TextChunk | UnreadableInput | undefined> {
  let hasByteOrderMark = false;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    const piece = next.value;
    if ('problem' in piece) return piece;
    hasByteOrderMark ||= piece.hasByteOrderMark === true;
    if (piece.text.trim() !== '')
      return hasByteOrderMark ? { ...piece, hasByteOrderMark: hasByteOrderMark } : piece;
  }
  return undefined;
}

/** The first batch that holds anything: the parser may want more before it gives a row. */
async function firstBatch<T>(
  batches: AsyncIterator<readonly T[] | UnreadableInput>,
  name: string,
): Promise<{ readonly header: T; readonly entries: readonly T[] }> {
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    if ('problem' in next.value) throw unreadableFailure(name, next.value);
    const [header, ...entries] = next.value;
    if (header) return { header, entries };
  }
  throw usageError(`${name} is empty`);
}

async function* prepend<T>(first: T, more: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield first;
    for (let next = await more.next(); !next.done; next = await more.next()) yield next.value;
  } finally {
    await more.return?.();
  }
}

function unreadableFailure(name: string, { line, problem, fix }: UnreadableInput) {
  const nothing = 'Nothing after it can be read, so nothing was sent.';
  return usageError(`${name}, line ${line}: ${problem}`, fix === undefined ? nothing : `${fix}\n${nothing}`);
}

async function* readCsv(
  batches: AsyncIterable<readonly { line: number; value: readonly string[] }[] | UnreadableInput>,
  name: string,
  columns: CsvColumns,
  skipped: SkippedCells,
  line: UpdateFlagValues,
  reading: RowResolver,
): AsyncGenerator<readonly TaskRow[]> {
  const base = Object.keys(line).length > 0;
  const understand = (cells: readonly string[]): ParsedRow => {
    const { id, flags: own } = columns.parseRow(cells);
    const flags = base ? mergeDefaults(line, own) : own;
    const { update, relativeDates } = buildUpdate(flags, reading.now);
    return {
      id,
      update,
      relativeDates,
      allowsClearingDates: flags.allowClearingDates === true,
      keepsStart: flags.keepStart === true,
    };
  };
  for await (const batch of line.keepStart || columns.mayKeepStart ? inHundreds(batches) : batches) {
    if ('problem' in batch) throw unreadableFailure(name, batch);
    const items: (TaskRow | Promise<TaskRow>)[] = [];
    for (const { line: at, value } of batch) {
      if (value.every(isBlank)) {
        skipped.emptyRows++;
        continue;
      }
      if (columns.withoutName.some((one) => !isBlank(value[one]))) skipped.valuesWithoutName++;
      let cells = value;
      for (const one of columns.dates)
        if (slashed.test(value[one] ?? '')) cells = cells.with(one, await reading.readDate(value[one] ?? ''));
      items.push(reading.resolve(at, value, value[columns.idAt], cells, understand));
    }
    yield isSettled(items) ? items : await Promise.all(items);
  }
}

/** As many rows as one request can read tasks. */
async function* inHundreds<T>(
  batches: AsyncIterable<readonly T[] | UnreadableInput>,
): AsyncGenerator<readonly T[] | UnreadableInput> {
  let held: T[] = [];
  for await (const batch of batches) {
    if ('problem' in batch) {
      yield batch;
      continue;
    }
    held.push(...batch);
    for (; held.length >= limit.tasksPerGet; held = held.slice(limit.tasksPerGet))
      yield held.slice(0, limit.tasksPerGet);
  }
  yield held;
}

/** A promise for each row would cost more than the row. */
function isSettled(items: readonly (TaskRow | Promise<TaskRow>)[]): items is readonly TaskRow[] {
  return !items.some((item) => item instanceof Promise);
}

const isBlank = (cell: string | undefined) => cell === undefined || cell.trim() === '';

async function* readNdjson(
  pieces: AsyncIterable<TextChunk | UnreadableInput>,
  name: string,
  taken: { records: number },
  line: UpdateFlagValues,
  { columns, ignoreColumn = [] }: RowFlags,
  reading: RowResolver,
): AsyncGenerator<readonly TaskRow[]> {
  const parameters = columns?.map(parameterOfColumn);
  const isSkipped = (member: string, isRecord: boolean) =>
    ignoreColumn.some((one) => isSameTitle(one, member)) ||
    (parameters ? !parameters.some((one) => one === member) : isRecord);
  const base = buildUpdate(line, reading.now);
  const hasBase = Object.keys(base.update).length > 0;
  const allowsClearingDates = line.allowClearingDates === true;
  const keepsStart = line.keepStart === true;
  const understand = ({ value, invalid, duplicateName }: JsonLine): ParsedRow => {
    if (invalid !== undefined) throw new ValidationError('the line', invalid);
    if (duplicateName !== undefined)
      throw new ValidationError(formatValue(duplicateName), 'is given twice in this row');
    const isRecord = isJsonObject(value) && recordMembers.some((member) => Object.hasOwn(value, member));
    if (isRecord && !parameters) taken.records++;
    const { id, update } = parseMembers(value, (member) => isSkipped(member, isRecord));
    const { relativeDates } = base;
    return {
      id,
      update: hasBase ? mergeDefaults(base.update, update) : update,
      relativeDates,
      allowsClearingDates,
      keepsStart,
    };
  };
  for await (const batch of keepsStart ? inHundreds(parseNdjson(pieces)) : parseNdjson(pieces)) {
    if ('problem' in batch) throw unreadableFailure(name, batch);
    const items: (TaskRow | Promise<TaskRow>)[] = [];
    for (const row of batch) {
      const item = reading.resolve(row.line, row.text, findId(row.value), row, understand);
      items.push(item);
    }
    yield isSettled(items) ? items : await Promise.all(items);
  }
}

/** A row with one of these is a whole record of the service, whose old values must not be sent back as an update. */
const recordMembers = ['accountId', 'createdDate', 'updatedDate', 'permalink', 'scope'] as const;

/** Throws a usage failure. */
function parameterOfColumn(title: string): TaskUpdateParameter {
  const parameter = taskUpdateParameterNames.find((name) => isSameTitle(name, title));
  if (parameter) return parameter;
  throw usageError(
    `--columns: ${formatValue(title)} is not the name of a parameter`,
    didYouMean(title, taskUpdateParameterNames),
  );
}

/** One line of NDJSON: `id`, and parameters by the contract's own names and in its JSON forms. */
function parseMembers(
  value: unknown,
  isSkipped: (member: string) => boolean,
): { id: string; update: UnresolvedUpdate } {
  if (!isJsonObject(value)) throw new ValidationError(formatValue(value), 'is not an object');
  const update: Record<string, unknown> = {};
  let id: string | undefined;
  for (const name in value) {
    const member: unknown = value[name];
    if (name === 'id') id = typeof member === 'string' ? member : invalidId(member);
    else if (isSkipped(name)) continue;
    else if (!isTaskUpdateParameter(name)) {
      if (!isAddedColumn(name)) throw unknownMember(name);
    } else if (!isEmptyValue(name, member)) update[name] = validateMember(name, member);
  }
  if (id === undefined) throw new ValidationError('the line', 'has no "id"');
  // Every member was validated by its own schema.
  return { id, update: update as UnresolvedUpdate };
}

function findId(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' ? value.id : undefined;
}

function validateMember(name: TaskUpdateParameter, member: unknown): unknown {
  try {
    return inputSchemas[name].validate(member);
  } catch (error) {
    throw atPath(name, error);
  }
}

function invalidId(member: unknown): never {
  throw new ValidationError(`id: ${formatValue(member)}`, 'is not text');
}

function unknownMember(name: string): ValidationError {
  if (isShortName(name))
    return new ValidationError(
      formatValue(name),
      `is not the name of a parameter; use ${parameterOfShortFlag[name]}`,
    );
  const near = nearestWords(name, taskUpdateParameterNames);
  const hint = near.length > 0 ? `; did you mean ${joinWithOr(near)}?` : '';
  return new ValidationError(formatValue(name), `is not the name of a parameter${hint}`);
}

function isShortName(name: string): name is keyof typeof parameterOfShortFlag {
  return Object.hasOwn(parameterOfShortFlag, name);
}

/** An entry of the row takes the place of one for the same key or field. */
function mergeDefaults<T extends object>(line: T, row: T): T {
  const all = new Map<string, unknown>(Object.entries(line));
  for (const [name, value] of Object.entries(row)) {
    const before = all.get(name);
    all.set(name, Array.isArray(before) && Array.isArray(value) ? mergeLists(before, value) : value);
  }
  // Every member is one of the two's, or a list of entries of both.
  return Object.fromEntries(all) as T;
}

function mergeLists(line: readonly unknown[], row: readonly unknown[]): readonly unknown[] {
  const taken = new Set(row.map(keyOf));
  return [...line.filter((one) => !taken.has(keyOf(one))), ...row];
}

/** The key of a metadata entry, the id or the title of a custom field; any other entry as a whole. */
function keyOf(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  if ('key' in entry) return entry.key;
  if ('id' in entry) return entry.id;
  return 'title' in entry ? entry.title : JSON.stringify(entry);
}
