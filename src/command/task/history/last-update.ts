// Reads the undo log: the last update of a task, which is a single one, or all the rows of a bulk that changed the task
// with no other update between them. An undo is an update too, unless its outcome is unknown: then the update that it was
// to undo is still the last one, and the values in the task tell what came of it.

import { join } from 'node:path';
import { ownLines } from '../../../bulk/text.ts';
import { type Task, type TaskUpdate, taskRecord } from '../../../contract/task.ts';
import { tolerate } from '../../../contract/value.ts';
import type { World } from '../../../world/world.ts';
import { isParameter, saidKinds } from '../short/kinds.ts';
import { type Step, taskAfter } from './after.ts';
import { checkKind, type End, folderOf, type Kept, type Named, type Shown, safe } from './record.ts';

/** What is undone in one go. */
export interface LastUpdate {
  readonly task: string;
  /** When the last of its steps was made, in milliseconds since 1970. */
  readonly at: number;
  /** The task before the first step. */
  readonly before: Task;
  /** One for each row of a bulk. */
  readonly steps: readonly Step[];
  /** Undos of it that were sent and whose outcome is unknown, the last of them first. */
  readonly unsettled: readonly Unsettled[];
  readonly isUndo: boolean;
  /** Where it stands in the log: another place is another update. */
  readonly place: string;
}

export type Unsettled = Named & Pick<Kept, 'sent'>;

type Parts = Pick<World, 'files'>;

interface Entry extends Kept {
  /** When the values before were read; `at` is when the update was made. */
  readonly readAt: number;
  readonly left?: Shown;
  /** False where no response came to it, or none was logged. */
  readonly isEnded: boolean;
  /** The file and the line. */
  readonly place: string;
}

/** By their rows, in order. */
type Rows = ReadonlyMap<number, Entry>;

/** The last update of the task that is in the log. */
export async function lastOf(world: Parts, host: string, task: string): Promise<LastUpdate | undefined> {
  const folder = folderOf(world);
  const stem = safe(host);
  const names = (await world.files.list(folder)).filter(
    (name) => name.startsWith(stem) && /^\.\d{4}-\d\d\.ndjson$/.test(name.slice(stem.length)),
  );
  let rows: Rows = new Map();
  const unsettled: Entry[] = [];
  // A bulk may have been resumed in another month.
  for (const name of names.toSorted().reverse()) {
    const all = await allIn(world, join(folder, name), task);
    if (rows.size === 0) takeUnsettled(all, unsettled);
    const found = lastIn(all);
    if (found.rows.size === 0) continue;
    if (rows.size > 0 && bulkOf(found.rows) !== bulkOf(rows)) break;
    rows = new Map([...found.rows, ...rows]);
    if (!found.isAll || bulkOf(rows) === undefined) break;
  }
  return asOne(rows, unsettled);
}

/** Moves the undos at the end whose outcome is unknown from `all` to `unsettled`, each with all its requests. */
function takeUnsettled(all: Entry[], unsettled: Entry[]): void {
  for (let last = all.at(-1); last?.undoes !== undefined; last = all.at(-1)) {
    const key = last.bulk?.key;
    const isOfOne = key !== undefined && key === unsettled.at(-1)?.bulk?.key;
    if (last.isEnded && !isOfOne) break;
    unsettled.push(last);
    all.pop();
  }
}

interface Found {
  readonly rows: Rows;
  /** Nothing else of the task is in this file. */
  readonly isAll: boolean;
}

function lastIn(all: readonly Entry[]): Found {
  let rows = new Map<number, Entry>();
  const earlier: Entry[] = [];
  for (const entry of all) {
    const { key, row = 0 } = entry.bulk ?? {};
    if (rows.size > 0 && (key === undefined || key !== bulkOf(rows))) {
      earlier.push(...rows.values());
      rows = new Map();
    }
    // A row that is there once more had not been sent: what was before is what was there the second time.
    rows.set(row, rows.size === 0 ? sinceRead(entry, earlier) : entry);
  }
  return { rows, isAll: earlier.length === 0 };
}

/** A bulk reads ahead: what was changed from here after that, and before the row was sent, was there before the row. */
function sinceRead(entry: Entry, earlier: readonly Entry[]): Entry {
  const since = earlier.filter(({ at }) => at > entry.readAt);
  return { ...entry, before: taskAfter(entry.before, since).left };
}

/** In the order in which they were made, whatever the clock said. */
async function allIn(world: Parts, path: string, task: string): Promise<Entry[]> {
  checkKind(path, await world.files.kind(path));
  const bytes = await world.files.stream(path);
  const start = `{"task":${JSON.stringify(task)},`;
  const all: Entry[] = [];
  for await (const piece of bytes ? ownLines(bytes) : []) {
    for (const [index, line] of piece.text.split('\n').entries()) {
      const found = line.startsWith(start) ? read(line) : undefined;
      if (!found) continue;
      if ('before' in found) all.push({ ...found, place: `${path}:${piece.line + index}` });
      else end(all, found);
    }
  }
  return all;
}

function end(all: Entry[], { at, bulk, madeAt, left }: Omit<End, 'task'>): void {
  const place = all.findLastIndex((one) => one.readAt === at && sameRow(one.bulk, bulk));
  const [ended] = place < 0 ? [] : all.splice(place, 1);
  if (!ended || madeAt === undefined) return;
  // It was in the log before it was made: another may have been made in between.
  const next = all.findLastIndex((one) => one.at <= madeAt) + 1;
  all.splice(Math.max(place, next), 0, { ...ended, at: madeAt, isEnded: true, ...(left ? { left } : {}) });
}

function sameRow(one: Kept['bulk'], other: Kept['bulk']): boolean {
  return one?.key === other?.key && one?.row === other?.row;
}

function bulkOf(rows: Rows): string | undefined {
  const [first] = rows.values();
  return first?.bulk?.key;
}

function asOne(rows: Rows, undos: readonly Entry[]): LastUpdate | undefined {
  const steps = [...rows.values()];
  const [first] = steps;
  const last = steps.at(-1);
  if (!first || !last) return undefined;
  const unsettled = undos
    .filter(({ isEnded }) => !isEnded)
    .map(({ task, readAt, bulk, sent }) => ({ task, at: readAt, sent, ...(bulk ? { bulk } : {}) }));
  const { task, at, place, undoes } = last;
  return { task, at, before: first.before, steps, unsettled, isUndo: undoes !== undefined, place };
}

/** Nothing where a crash has torn it. */
function read(line: string): Omit<Entry, 'place'> | Omit<End, 'task'> | undefined {
  try {
    const decoded = JSON.parse(line);
    return decoded.before === undefined ? endOf(decoded) : entryOf(decoded);
  } catch {
    return undefined;
  }
}

/** An older version has noted no values that were left. */
function endOf(value: { task: string; at: number; left?: object }): Omit<End, 'task'> {
  const { left, ...rest } = value;
  const shown = left && tolerate(taskRecord, { ...left, id: value.task });
  return { madeAt: undefined, ...rest, ...(shown ? { left: shown } : {}) };
}

/** The file is our own; what an older version wrote may still lack something. */
function entryOf(value: {
  task: string;
  at: number;
  sent: Record<string, unknown>;
  before: unknown;
  bulk?: { key: string; row: number };
  undoes?: number;
}): Omit<Entry, 'place'> {
  const sent: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value.sent))
    if (isParameter(name)) sent[name] = saidKinds[name].check(one);
  // Every member was checked by its own kind.
  return {
    task: value.task,
    at: value.at,
    readAt: value.at,
    ...(value.bulk ? { bulk: value.bulk } : {}),
    ...(value.undoes === undefined ? {} : { undoes: value.undoes }),
    isEnded: false,
    sent: sent as TaskUpdate,
    before: tolerate(taskRecord, value.before),
  };
}
