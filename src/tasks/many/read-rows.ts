// Reads the rows of an input: CSV by its header and the flags, NDJSON by the contract's parameters. The first character
// decides which of the two it is.

import { decodeLines, type TextChunk } from '#bulk/decode-lines.ts';
import type { CsvRow } from '#bulk/parse-csv.ts';
import { type JsonLine, parseNdjson, splitJsonList } from '#bulk/parse-ndjson.ts';
import type { CsvFormat, FailToRead } from '#bulk/row.ts';
import { agree, countOf, formatCount } from '#cli/count-of.ts';
import { caseInsensitive } from '#cli/flags/flag.ts';
import { datedParameters, hasSlashedDate } from '#cli/slashed-dates.ts';
import { didYouMean, nearestWords } from '#contract/did-you-mean.ts';
import { joinWithOr } from '#contract/format-list.ts';
import { isJsonObject, type JsonObject, parseJson } from '#contract/json.ts';
import { limit } from '#contract/limit.ts';
import { atPath, formatValue, invalidValue, type Schema, ValidationError } from '#contract/schema.ts';
import { isTaskUpdateParameter, type TaskUpdateParameter, taskUpdateParameterNames } from '#contract/task.ts';
import { isEmptyValue } from '#contract/task-rules.ts';
import { usageError } from '#failure.ts';
import { buildUpdate, type UpdateFlagValues } from '../input/build-update.ts';
import { isPlainParameter, type UnresolvedUpdate } from '../input/unresolved-update.ts';
import { inputSchemas, parameterOfShortFlag } from '../input/update-flags.ts';
import { type CsvColumns, csvColumns, isAddedColumn, isPlainFlag, isSameTitle } from './csv-columns.ts';
import { allowEmptyHint, type BulkFlags } from './flags.ts';
import type { ParsedRow, RowResolver, TaskRow } from './row-resolver.ts';

export interface Rows {
  /** How CSV input is written: a file of its rows is written the same way. */
  readonly csv: CsvFormat | undefined;
  readonly batches: AsyncIterable<readonly TaskRow[]>;
  /** What was skipped in the batches so far, in words. */
  skipped(): readonly string[];
}

/** The flags that choose which cells of a row are used. */
export type RowFlags = Pick<BulkFlags, 'columns' | 'ignoreColumn' | 'allowEmpty'>;

interface RowInput {
  /** For a person: `tasks.csv`, `standard input`. */
  readonly name: string;
  /** Values from the command line, for every row that does not have its own. */
  readonly defaults: UpdateFlagValues;
  readonly flags: RowFlags;
  readonly resolver: RowResolver;
}

/** Rows without columns of their own, each named by its position from 1. Throws a usage failure for flags that cannot be combined. */
export function readIds(ids: readonly string[], input: RowInput): Rows {
  buildUpdate(input.defaults, input.resolver.now);
  const header = ['id'];
  const rows = ids.map((id, index) => ({ line: index + 1, cells: [id] }));
  return {
    csv: { header, delimiter: ',', lineEnd: '\n', hasByteOrderMark: false },
    batches: readCsv(replay([rows]), csvColumns(header, {}), undefined, input),
    skipped: () => [],
  };
}

/** Throws a usage failure if the input is neither CSV nor NDJSON; the returned rows may throw it too, as they are read. */
export async function readRows(bytes: AsyncIterable<Uint8Array>, input: RowInput): Promise<Rows> {
  const fail: FailToRead = ({ line, problem, fix }) => {
    const place = line === undefined ? input.name : `${input.name}, line ${line}`;
    const reason = line === undefined ? 'It may be incomplete' : 'Nothing after it can be read';
    const consequence = `${reason}, so nothing was sent.`;
    throw usageError(`${place}: ${problem}`, fix === undefined ? consequence : `${fix}\n${consequence}`);
  };
  const chunks = decodeLines(splitJsonList(bytes, fail), fail);
  try {
    return await readByFormat(chunks, fail, input);
  } catch (error) {
    // Otherwise the file would stay open: nothing reads it to its end.
    await chunks.return(undefined);
    throw error;
  }
}

async function readByFormat(chunks: AsyncGenerator<TextChunk>, fail: FailToRead, input: RowInput) {
  const { name, flags } = input;
  const first = await firstNonEmpty(chunks);
  if (!first) {
    if (flags.allowEmpty) return { csv: undefined, batches: replay([]), skipped: () => [] };
    throw usageError(
      `${name} is empty`,
      `It needs a header with "id" (CSV), or lines of JSON. ${allowEmptyHint}`,
    );
  }
  const allChunks = prepend(first, chunks);
  if (/^\s*[{[]/.test(first.text)) {
    const idsOnly = { records: 0 };
    const batches = readNdjson(allChunks, idsOnly, input);
    return { csv: undefined, batches, skipped: () => describeRecords(idsOnly) };
  }
  const { detectCsvDialect, parseCsv } = await import('#bulk/parse-csv.ts');
  const rows = parseCsv(allChunks, fail);
  const [header, ...entries] = await firstBatch(rows);
  if (!header) throw usageError(`${name} is empty`);
  const columns = csvColumns(header.cells, flags);
  const skipped = { emptyRows: 0, valuesWithoutName: 0 };
  return {
    csv: { header: header.cells, ...detectCsvDialect(first.text, first.hasByteOrderMark === true) },
    batches: readCsv(prepend(entries, rows), columns, skipped, input),
    skipped: () => describeSkipped(columns, skipped),
  };
}

export async function* replay<T>(batches: readonly T[]): AsyncGenerator<T> {
  yield* batches;
}

function describeRecords({ records }: { readonly records: number }): readonly string[] {
  if (records === 0) return [];
  const which = records === 1 ? 'the id of 1 record' : `the ids of ${formatCount(records)} records`;
  return [`all but ${which}; to send more of ${agree(records, 'it')}: --columns title,status`];
}

interface SkippedCells {
  /** Rows of empty cells, as a spreadsheet leaves them below a table. */
  emptyRows: number;
  /** Rows with a value in a column without a name. */
  valuesWithoutName: number;
}

function describeSkipped({ withoutName }: CsvColumns, { emptyRows, valuesWithoutName }: SkippedCells) {
  const verb = agree(valuesWithoutName, 'has');
  const values = valuesWithoutName > 0 ? ` (${countOf(valuesWithoutName, 'row')} ${verb} values there)` : '';
  const columns = countOf(withoutName.length, 'column');
  return [
    ...(withoutName.length > 0 ? [`${columns} without a name${values}`] : []),
    ...(emptyRows > 0 ? [`${countOf(emptyRows, 'row')} of empty cells`] : []),
  ];
}

/** The first chunk with more than empty lines, without the line #TYPE of PowerShell's Export-Csv; undefined if there is none. */
async function firstNonEmpty(chunks: AsyncIterator<TextChunk>): Promise<TextChunk | undefined> {
  let hasByteOrderMark = false;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    const chunk = { ...next.value, text: next.value.text.replace(/^(\s*)#TYPE .*/, '$1') };
    hasByteOrderMark ||= chunk.hasByteOrderMark === true;
    if (chunk.text.trim() !== '') return hasByteOrderMark ? { ...chunk, hasByteOrderMark } : chunk;
  }
  return undefined;
}

/** The first batch with a row: the parser may need more than one chunk for it. Empty if there is none. */
async function firstBatch<T>(batches: AsyncIterator<readonly T[]>): Promise<readonly T[]> {
  for (let next = await batches.next(); !next.done; next = await batches.next())
    if (next.value.length > 0) return next.value;
  return [];
}

async function* prepend<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* readCsv(
  batches: AsyncIterable<readonly CsvRow[]>,
  columns: CsvColumns,
  skipped: SkippedCells | undefined,
  { defaults, resolver }: RowInput,
): AsyncGenerator<readonly TaskRow[]> {
  const defaultNames = Object.keys(defaults);
  const isPlain = columns.isPlain && defaultNames.every(isPlainFlag);
  const parse = (cells: readonly string[]): ParsedRow => {
    const { id, flags: rowFlags } = columns.parseRow(cells);
    const flags = defaultNames.length > 0 ? mergeDefaults(defaults, rowFlags) : rowFlags;
    const { update, relativeDates, allowsClearingDates, keepsStart } = buildUpdate(flags, resolver.now);
    return { id, update, relativeDates, allowsClearingDates, keepsStart, isPlain };
  };
  for await (const batch of defaults.keepStart || columns.mayKeepStart ? inHundreds(batches) : batches) {
    const items: (TaskRow | Promise<TaskRow>)[] = [];
    for (const { line, cells: source } of batch) {
      if (skipped && source.every(isBlank)) {
        skipped.emptyRows++;
        continue;
      }
      if (skipped && columns.withoutName.some((index) => !isBlank(source[index])))
        skipped.valuesWithoutName++;
      let cells = source;
      for (const index of columns.dates) {
        const date = source[index] ?? '';
        if (hasSlashedDate(date)) cells = cells.with(index, await resolver.lookUps.readDates(date));
      }
      items.push(resolver.resolve(line, source, source[columns.idIndex], cells, parse));
    }
    yield hasNoPromise(items) ? items : await Promise.all(items);
  }
}

/** Batches of as many rows as one request can read tasks, or of at most `most`. */
export async function* inHundreds<T>(batches: AsyncIterable<readonly T[]>, most: number = limit.tasksPerGet) {
  const size = Math.max(1, Math.min(most, limit.tasksPerGet));
  let pending: T[] = [];
  for await (const batch of batches) {
    pending.push(...batch);
    for (; pending.length >= size; pending = pending.slice(size)) yield pending.slice(0, size);
  }
  yield pending;
}

/** A promise for each row would cost more than the row. */
function hasNoPromise(items: readonly (TaskRow | Promise<TaskRow>)[]): items is readonly TaskRow[] {
  return !items.some((item) => item instanceof Promise);
}

const isBlank = (cell: string | undefined) => cell === undefined || cell.trim() === '';

/** Throws before it reads: a generator that never began would leave the file open. */
function readNdjson(
  chunks: AsyncIterable<TextChunk>,
  idsOnly: { records: number },
  { defaults, flags: { columns, ignoreColumn = [] }, resolver }: RowInput,
): AsyncGenerator<readonly TaskRow[]> {
  const parameters = columns?.map(parameterOfColumn);
  const memberOf = createMemberReader(parameters, ignoreColumn);
  const isOnlyId = (row: JsonObject) => !parameters && isWholeRecord(row);
  const {
    update: base,
    relativeDates,
    allowsClearingDates,
    keepsStart,
  } = buildUpdate(defaults, resolver.now);
  const hasBase = Object.keys(base).length > 0;
  const isBasePlain = Object.keys(defaults).every(isPlainFlag);
  const parse = ({ value, invalid }: JsonLine): ParsedRow => {
    if (invalid) throw invalid;
    if (!isJsonObject(value)) throw invalidValue(value, 'is not an object');
    const onlyId = isOnlyId(value);
    if (onlyId) idsOnly.records++;
    const { id, update: own, isPlain } = parseMembers(value, onlyId ? () => undefined : memberOf);
    const update = hasBase ? mergeDefaults(base, own) : own;
    // Named one by one: a spread in each row more than doubles the time of a plan.
    return { id, update, relativeDates, allowsClearingDates, keepsStart, isPlain: isPlain && isBasePlain };
  };
  const readDatesOf = async (row: JsonLine): Promise<JsonLine> => {
    if (!isJsonObject(row.value) || isOnlyId(row.value)) return row;
    const value = new Map(Object.entries(row.value));
    for (const name of datedParameters)
      if (value.has(name) && memberOf(name))
        value.set(name, parseJson(await resolver.lookUps.readDates(JSON.stringify(value.get(name)))));
    return { ...row, value: Object.fromEntries(value) };
  };
  async function* read() {
    for await (const batch of keepsStart ? inHundreds(parseNdjson(chunks)) : parseNdjson(chunks)) {
      const items: (TaskRow | Promise<TaskRow>)[] = [];
      for (const source of batch) {
        const row = /\d\\?\/\d/.test(source.text) ? await readDatesOf(source) : source;
        items.push(resolver.resolve(row.line, row.text, findId(row.value), row, parse));
      }
      yield hasNoPromise(items) ? items : await Promise.all(items);
    }
  }
  return read();
}

/** A whole record of the service, whose old values must not be sent back as an update. Written out: a million rows pass here. */
function isWholeRecord(row: JsonObject): boolean {
  return (
    'accountId' in row || 'createdDate' in row || 'updatedDate' in row || 'permalink' in row || 'scope' in row
  );
}

function parameterOfColumn(title: string): TaskUpdateParameter {
  const parameter = taskUpdateParameterNames.find((name) => isSameTitle(name, title));
  if (parameter) return parameter;
  throw usageError(
    `--columns: ${formatValue(title)} is not the name of a parameter`,
    didYouMean(title, taskUpdateParameterNames),
  );
}

interface Member {
  readonly schema: Schema<unknown>;
  readonly isPlain: boolean;
}

/** Decides once for the file what a member of a name is; undefined if it is skipped. Throws a {@link ValidationError} if it is unknown. */
function createMemberReader(parameters: readonly string[] | undefined, ignoreColumn: readonly string[]) {
  const members = new Map<string, Member | undefined>();
  return (name: string): Member | undefined => {
    const known = members.get(name);
    if (known !== undefined || members.has(name)) return known;
    const isSkipped =
      ignoreColumn.some((title) => isSameTitle(title, name)) || parameters?.includes(name) === false;
    const isParameter = isTaskUpdateParameter(name);
    if (!isSkipped && !isParameter && !isAddedColumn(name)) throw unknownMember(name);
    const member =
      isSkipped || !isParameter
        ? undefined
        : { schema: caseInsensitive<unknown>(inputSchemas[name]), isPlain: isPlainParameter(name) };
    members.set(name, member);
    return member;
  };
}

/** One line of NDJSON: `id`, and parameters by the contract's own names and in its JSON forms. */
function parseMembers(row: JsonObject, memberOf: (name: string) => Member | undefined) {
  const update: Record<string, unknown> = {};
  let id: string | undefined;
  let isPlain = true;
  for (const name in row) {
    const value = row[name];
    if (name === 'id') {
      if (typeof value !== 'string') throw new ValidationError(`id: ${formatValue(value)}`, 'is not text');
      id = value;
      continue;
    }
    const member = memberOf(name);
    if (!member || isEmptyValue(name, value)) continue;
    isPlain &&= member.isPlain;
    try {
      update[name] = member.schema.validate(value);
    } catch (error) {
      throw atPath(name, error);
    }
  }
  if (id === undefined) throw new ValidationError('the line', 'has no "id"');
  // Every member was validated by its own schema.
  return { id, update: update as UnresolvedUpdate, isPlain };
}

function findId(value: unknown): string | undefined {
  const id = isJsonObject(value) ? value['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function unknownMember(name: string): ValidationError {
  const parameter = new Map<string, string>(Object.entries(parameterOfShortFlag)).get(name);
  const near = nearestWords(name, taskUpdateParameterNames);
  const question = near.length > 0 ? `; did you mean ${joinWithOr(near)}?` : '';
  const hint = parameter === undefined ? question : `; use ${parameter}`;
  return invalidValue(name, `is not the name of a parameter${hint}`);
}

/** An entry of the row replaces a default for the same key, field or assignee. */
function mergeDefaults<T extends object>(defaults: T, row: T): T {
  const all = new Map<string, unknown>(Object.entries(defaults));
  for (const [name, value] of Object.entries(row)) {
    const before = all.get(name);
    all.set(name, Array.isArray(before) && Array.isArray(value) ? mergeLists(before, value) : value);
  }
  // Every member comes from one of the two, or is a list of entries of both.
  return Object.fromEntries(all) as T;
}

function mergeLists(defaults: readonly unknown[], row: readonly unknown[]): readonly unknown[] {
  const rowKeys = new Set(row.map(keyOf));
  return [...defaults.filter((entry) => !rowKeys.has(keyOf(entry))), ...row];
}

/** The key of a metadata entry, the id or the title of a custom field, the assignee of an allocation; a text itself. */
function keyOf(entry: unknown): unknown {
  if (!isJsonObject(entry)) return entry;
  const name = ['key', 'id', 'title', 'userId', 'placeholderId'].find((member) => member in entry);
  return name === undefined ? entry : entry[name];
}
