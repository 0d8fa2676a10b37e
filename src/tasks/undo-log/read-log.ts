// Reads the entries of a task from a file of the undo log, in the order in which the updates were made. A damaged line may be an
// update, so it is not skipped.

import { join } from 'node:path';
import { decodeLines } from '#bulk/decode-lines.ts';
import { countOccurrences, isJsonObject, parseJson, parseJsonIfValid } from '#contract/json.ts';
import {
  anyJson,
  boolean,
  number,
  object,
  optional,
  readLeniently,
  type TypeOf,
  text,
} from '#contract/schema.ts';
import { isTaskUpdateParameter, type TaskUpdate, taskRecord, taskUpdateParameters } from '#contract/task.ts';
import { assertIsFile, type MonthlyLog } from '#local-records/monthly-log.ts';
import type { World } from '#world/world.ts';
import type { TaskValues } from '../parts/part.ts';
import { isSameMoment, isSince, type LoggedUpdate, type Moment, type UpdateEnd } from './write-log.ts';

export interface LogEntry extends LoggedUpdate {
  /** When the previous values were read; `at` and `uptime` are when the update was made. */
  readonly readAt: Moment;
  readonly left?: TaskValues | undefined;
  /** False if no response came, or none was logged. */
  readonly isEnded: boolean;
  readonly file: string;
  /** The line of the update, and of its end if it has one. */
  readonly lines: { readonly first: number; readonly last: number };
}

/** A line of the task that cannot be read, or the end of an update that is missing. */
export interface Damage {
  readonly damaged: { readonly path: string; readonly line: number };
}

/** The lines of a file of the log, in pieces, after the first `start` bytes. */
export async function* readPieces(world: Pick<World, 'files'>, log: MonthlyLog, file: string, start = 0) {
  const path = join(log.folder, file);
  assertIsFile(log, path, await world.files.kind(path));
  const bytes = await world.files.stream(path, start);
  if (bytes) yield* decodeLines(bytes);
}

/** For the entries of a task in a file, by when they were made. Reads a file once for all tasks, and after that only what was appended. */
export function createEntryReader(world: Pick<World, 'files'>, log: MonthlyLog, tasks: readonly string[]) {
  const begin = () => ({
    bytes: 0,
    lines: 0,
    entries: new Map(tasks.map((task): [string, (LogEntry | Damage)[]] => [task, []])),
  });
  const files = new Map<string, ReturnType<typeof begin>>();
  return async (file: string, task: string): Promise<(LogEntry | Damage)[]> => {
    const read = files.get(file) ?? begin();
    const path = join(log.folder, file);
    // A file is read from its start again if its last line may be completed later, or its bytes cannot be counted.
    files.delete(file);
    let isWhole = true;
    for await (const { text } of readPieces(world, log, file, read.bytes)) {
      for (const [index, line] of text.split('\n').entries())
        addLine(read.entries, line, file, { path, line: read.lines + index + 1 });
      read.bytes += Buffer.byteLength(text);
      read.lines += countOccurrences(text, '\n');
      isWhole &&= text.endsWith('\n') && !text.includes('\ufffd');
    }
    if (isWhole) files.set(file, read);
    return [...(read.entries.get(task) ?? [])];
  };
}

/** Adds a line to the entries of its task; a damaged line to those of all tasks that it names. */
function addLine(
  tasks: ReadonlyMap<string, (LogEntry | Damage)[]>,
  text: string,
  file: string,
  damaged: Damage['damaged'],
): void {
  const { line } = damaged;
  for (const task of new Set(Array.from(text.matchAll(/"task":"([^"\\]*)"/g), ([, id = '']) => id))) {
    const entries = tasks.get(task);
    const isOfTask = text.startsWith(`{"task":"${task}",`);
    if (!entries || (!isOfTask && parseJsonIfValid(text) !== undefined)) continue;
    const parsed = parseLine(text);
    if (parsed && 'before' in parsed) entries.push({ ...parsed, file, lines: { first: line, last: line } });
    else if (!parsed || !applyEnd(entries, parsed, line)) entries.push({ damaged });
  }
}

type Ended = Omit<UpdateEnd, 'task' | 'file'>;

/** False if the update itself is missing, unless it changed nothing. */
function applyEnd(entries: (LogEntry | Damage)[], { made, left, bulk, ...moment }: Ended, line: number) {
  const index = entries.findLastIndex(
    (entry) =>
      !('damaged' in entry) &&
      isSameMoment(entry.readAt, moment) &&
      entry.bulk?.key === bulk?.key &&
      entry.bulk?.row === bulk?.row,
  );
  const [ended] = index < 0 ? [] : entries.splice(index, 1);
  if (made === undefined) return true;
  if (!ended || 'damaged' in ended) return false;
  // An update is logged before it is made; another update may have been made in between.
  let next = entries.length;
  while (next > index && !isMadeBy(entries[next - 1], made)) next--;
  const lines = { first: ended.lines.first, last: line };
  entries.splice(next, 0, { ...ended, ...made, lines, isEnded: true, left });
  return true;
}

function isMadeBy(entry: LogEntry | Damage | undefined, moment: Moment): boolean {
  return entry !== undefined && !('damaged' in entry) && !isSince(entry, moment);
}

const instant = number('milliseconds');
const key = {
  task: text('id'),
  at: instant,
  uptime: optional(instant),
  bulk: optional(object('row', { key: text('key'), row: number('row') })),
};
// The values that an update sent or left are validated by the schemas of their members.
const beginning = object('entry', { ...key, undoes: optional(instant), sent: anyJson, before: taskRecord });
const ending = object('end', {
  ...key,
  madeAt: optional(instant),
  madeUptime: optional(instant),
  struck: optional(boolean),
  left: optional(anyJson),
});

type Begun = Omit<LogEntry, 'file' | 'lines'>;

/** Undefined if the line is damaged. */
function parseLine(line: string): Begun | Ended | undefined {
  try {
    const decoded = parseJson(line);
    if (!isJsonObject(decoded)) return undefined;
    return 'before' in decoded
      ? toEntry(readLeniently(beginning, decoded))
      : toEnd(readLeniently(ending, decoded));
  } catch {
    return undefined;
  }
}

/** The end of an older version lacks the values that the update left. */
function toEnd(line: TypeOf<typeof ending>): Ended | undefined {
  const { task, at, uptime, bulk, madeAt, madeUptime, struck, left } = line;
  if (madeAt === undefined && struck !== true) return undefined;
  const shown = isJsonObject(left) ? readLeniently(taskRecord, { ...left, id: task }) : undefined;
  const made = madeAt === undefined ? undefined : { at: madeAt, uptime: madeUptime };
  return { at, uptime, made, bulk, left: shown };
}

/** wm wrote the file, but an older version may have written fewer members. */
function toEntry(value: TypeOf<typeof beginning>): Begun | undefined {
  if (!isJsonObject(value.sent)) return undefined;
  const sent: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value.sent))
    if (isTaskUpdateParameter(name)) sent[name] = taskUpdateParameters[name].schema.validate(member);
  const { at, uptime } = value;
  // Every member was validated by its own schema.
  return { ...value, readAt: { at, uptime }, isEnded: false, sent: sent as TaskUpdate };
}
