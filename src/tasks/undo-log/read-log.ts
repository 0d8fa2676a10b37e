// Reads the entries of a task from a file of the undo log, in the order in which the updates were made, with damaged lines:
// a damaged line may be an update, so it is not skipped.

import { join } from 'node:path';
import { decodeLinesLeniently } from '#bulk/decode-lines.ts';
import { assertIsFile, type LogFolder } from '#cli/monthly-log.ts';
import { parseJson, parseJsonIfValid } from '#contract/json.ts';
import {
  boolean,
  formatValue,
  number,
  object,
  optional,
  readLeniently,
  type Schema,
  type TypeOf,
  text,
  ValidationError,
} from '#contract/schema.ts';
import { isTaskUpdateParameter, type TaskUpdate, taskRecord, taskUpdateParameters } from '#contract/task.ts';
import type { World } from '#world/world.ts';
import type { TaskValues } from '../parts/part.ts';
import { isSameMoment, isSince, type LoggedUpdate, type Moment, type UpdateEnd } from './write-log.ts';

export interface LogEntry extends LoggedUpdate {
  /** When the previous values were read; `at` and `uptime` are when the update was made. */
  readonly readAt: Moment;
  readonly left?: TaskValues;
  /** False if no response came, or none was logged. */
  readonly isEnded: boolean;
  readonly file: string;
  /** The line of the update, and of its end if it has one. */
  readonly lines: { readonly first: number; readonly last: number };
  /** File and line. */
  readonly place: string;
}

/** A line of the task that cannot be read, or the end of an update that is missing. */
export interface Damage {
  readonly damaged: { readonly path: string; readonly line: number };
}

/** Sorts updates by when they were made, even if the clock was changed. */
export async function readEntries(
  world: Pick<World, 'files'>,
  log: LogFolder,
  file: string,
  task: string,
): Promise<(LogEntry | Damage)[]> {
  const path = join(log.folder, file);
  assertIsFile(log, path, await world.files.kind(path));
  const bytes = await world.files.stream(path);
  const start = `{"task":${JSON.stringify(task)},`;
  const name = start.slice(1, -1);
  const all: (LogEntry | Damage)[] = [];
  for await (const piece of bytes ? decodeLinesLeniently(bytes) : []) {
    for (const [index, text] of piece.text.split('\n').entries()) {
      const place = { path, line: piece.line + index };
      const isOfTask =
        text.startsWith(start) || (text.includes(name) && parseJsonIfValid(text) === undefined);
      if (!isOfTask) continue;
      const found = parseLine(text);
      if (!found) all.push({ damaged: place });
      else if ('before' in found)
        all.push({
          ...found,
          file,
          lines: { first: place.line, last: place.line },
          place: `${path}:${place.line}`,
        });
      else if (!applyEnd(all, found, place.line)) all.push({ damaged: place });
    }
  }
  return all;
}

type Ended = Omit<UpdateEnd, 'task' | 'file'>;

/** False if the update itself is missing, unless it changed nothing. */
function applyEnd(all: (LogEntry | Damage)[], { made, left, ...named }: Ended, line: number): boolean {
  const place = all.findLastIndex(
    (one) => !('damaged' in one) && isSameMoment(one.readAt, named) && sameRow(one.bulk, named.bulk),
  );
  const [ended] = place < 0 ? [] : all.splice(place, 1);
  if (made === undefined) return true;
  if (!ended || 'damaged' in ended) return false;
  // It was logged before it was made; another update may have been made in between.
  let next = all.length;
  while (next > place && !isMadeBy(all[next - 1], made)) next--;
  const lines = { first: ended.lines.first, last: line };
  all.splice(next, 0, { ...withoutMoment(ended), ...made, lines, isEnded: true, ...(left ? { left } : {}) });
  return true;
}

function isMadeBy(one: LogEntry | Damage | undefined, moment: Moment): boolean {
  return one !== undefined && !('damaged' in one) && !isSince(one, moment);
}

function withoutMoment({ uptime: _, ...entry }: LogEntry): Omit<LogEntry, 'uptime'> {
  return entry;
}

function sameRow(one: LoggedUpdate['bulk'], other: LoggedUpdate['bulk']): boolean {
  return one?.key === other?.key && one?.row === other?.row;
}

const instant = number('milliseconds');
const name = {
  task: text('id'),
  at: instant,
  uptime: optional(instant),
  bulk: optional(object('row', { key: text('key'), row: number('row') })),
};
/** What an update sent, or what it left. Each member is validated by its own schema later. */
const members: Schema<Readonly<Record<string, unknown>>> = {
  type: 'object',
  wireFormat: 'json',
  validate(input) {
    if (typeof input !== 'object' || input === null)
      throw new ValidationError(formatValue(input), 'is not an object');
    return { ...input };
  },
  fromWire: (wire) => members.validate(parseJson(wire)),
  toWire: (value) => JSON.stringify(value),
};
const beginning = object('entry', { ...name, undoes: optional(instant), sent: members, before: taskRecord });
const ending = object('end', {
  ...name,
  madeAt: optional(instant),
  madeUptime: optional(instant),
  struck: optional(boolean),
  left: optional(members),
});

type Begun = Omit<LogEntry, 'place' | 'file' | 'lines'>;

/** Undefined if the line is damaged. */
function parseLine(line: string): Begun | Ended | undefined {
  try {
    const decoded = members.validate(parseJson(line));
    return 'before' in decoded
      ? toEntry(readLeniently(beginning, decoded))
      : toEnd(readLeniently(ending, decoded));
  } catch {
    return undefined;
  }
}

/** An older version did not log the values that were left. */
function toEnd(line: TypeOf<typeof ending>): Ended | undefined {
  const { task, at, uptime, bulk, madeAt, madeUptime, struck, left } = line;
  if (madeAt === undefined && struck !== true) return undefined;
  const shown = left && readLeniently(taskRecord, { ...left, id: task });
  return {
    ...toMoment(at, uptime),
    made: madeAt === undefined ? undefined : toMoment(madeAt, madeUptime),
    ...(bulk ? { bulk } : {}),
    ...(shown ? { left: shown } : {}),
  };
}

function toMoment(at: number, uptime: number | undefined): Moment {
  return uptime === undefined ? { at } : { at, uptime };
}

/** We wrote the file, but an older version may have left something out. */
function toEntry(value: TypeOf<typeof beginning>): Begun {
  const sent: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value.sent))
    if (isTaskUpdateParameter(name)) sent[name] = taskUpdateParameters[name].schema.validate(one);
  // Every member was validated by its own schema.
  return { ...value, readAt: toMoment(value.at, value.uptime), isEnded: false, sent: sent as TaskUpdate };
}
