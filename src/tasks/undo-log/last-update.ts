// Finds the last update of a task in the undo log: a single update, or all rows of a bulk run that changed the task with no
// other update between them. An undo is an update too, unless its outcome is unknown: then the update that it reverses is
// still the last one, and the task shows whether it took effect. Also lists the tasks in the log, for the picker.

import { parseJsonIfValid } from '#contract/json.ts';
import { monthlyFiles, undoLog } from '#local-records/monthly-log.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import type { World } from '#world/world.ts';
import { taskAfter } from '../parts/task-after.ts';
import { createEntryReader, type Damage, type LogEntry, readPieces } from './read-log.ts';
import { isSince } from './write-log.ts';

/** The update that one undo reverses. */
export type LastUpdate = NonNullable<ReturnType<typeof mergeRows>>;

/** By row, in order. */
type Rows = ReadonlyMap<number, LogEntry>;

/** Returns a function for the last update of a task in the log, or what the bulk `run` changed in it; or the damage that hides it. */
export function createLastUpdateReader(
  world: Pick<World, 'files'>,
  host: string,
  tasks: readonly string[],
  run?: string,
) {
  const log = undoLog(world, host);
  const readEntries = createEntryReader(world, log, tasks);
  return async (task: string): Promise<LastUpdate | Damage | undefined> => {
    await assertPrivateStateFolder(world);
    let rows: Rows = new Map();
    const unsettled: LogEntry[] = [];
    // A bulk run may have been resumed in another month.
    for (const name of (await monthlyFiles(world, log)).toReversed()) {
      const entries = await readEntries(name, task);
      if (rows.size === 0 && run === undefined) takeUnsettled(entries, unsettled);
      const last = lastIn(entries, run);
      if (last.damage) return last.damage;
      if (last.rows.size === 0) continue;
      if (rows.size > 0 && bulkOf(last.rows) !== bulkOf(rows)) break;
      rows = new Map([...last.rows, ...rows]);
      if (!last.isOnly || bulkOf(rows) === undefined) break;
    }
    return mergeRows(rows, unsettled);
  };
}

/** Moves the last undos, if their outcome is unknown, from `entries` to `unsettled`, each with all its requests. */
function takeUnsettled(entries: (LogEntry | Damage)[], unsettled: LogEntry[]): void {
  for (let last = entries.at(-1); last && 'undoes' in last; last = entries.at(-1)) {
    const key = last.bulk?.key;
    const isSameUndo = key !== undefined && key === unsettled.at(-1)?.bulk?.key;
    if (last.isEnded && !isSameUndo) break;
    unsettled.push(last);
    entries.pop();
  }
}

/** `isOnly`: the file has no other update of the task. `damage`: a line that may be a later update, or another row of the bulk run. */
function lastIn(entries: readonly (LogEntry | Damage)[], run: string | undefined) {
  let rows = new Map<number, LogEntry>();
  const earlier: LogEntry[] = [];
  let damage: Damage | undefined;
  for (const entry of entries) {
    if ('damaged' in entry) {
      damage = entry;
      continue;
    }
    const { key, row: line = 0 } = entry.bulk ?? {};
    if (run !== undefined && key !== run) {
      if (rows.size === 0) earlier.push(entry);
      continue;
    }
    if (rows.size > 0 && (key === undefined || key !== bulkOf(rows))) {
      for (const row of rows.values()) earlier.push(row);
      rows = new Map();
    }
    if (key === undefined) damage = undefined;
    // A row that was logged twice was not sent the first time: the second entry has its previous values.
    rows.set(line, rows.size === 0 ? applyEarlier(entry, earlier) : entry);
  }
  return { rows, isOnly: earlier.length === 0, damage };
}

/** A bulk run reads tasks ahead of their updates. Changes by this machine in between belong to the previous values. */
function applyEarlier(entry: LogEntry, earlier: readonly LogEntry[]): LogEntry {
  const { readAt } = entry;
  const since = earlier.filter(
    (update) =>
      isSince(update, readAt) &&
      // Earlier entries may be older than the last start of the machine, so that uptimes cannot be compared.
      (update.lines.last > entry.lines.first || update.at >= readAt.at),
  );
  return { ...entry, before: taskAfter(entry.before, since).task };
}

function bulkOf(rows: Rows): string | undefined {
  const [first] = rows.values();
  return first?.bulk?.key;
}

function mergeRows(rows: Rows, undos: readonly LogEntry[]) {
  /** One for each row of a bulk run. */
  const steps = [...rows.values()];
  const [first] = steps;
  const last = steps.at(-1);
  if (!first || !last) return undefined;
  /** Undos of this update with an unknown outcome, latest first. */
  const unsettled = undos.filter(({ isEnded }) => !isEnded);
  // `at`: when its last step was made, in milliseconds since 1970. `place`: file and line, which identify the update.
  const { task, at, file, lines, undoes } = last;
  const place = `${file}:${lines.first}`;
  return { task, at, before: first.before, steps, unsettled, isUndo: undoes !== undefined, place };
}

interface Entry {
  readonly id: string;
  /** The title after the last update. */
  readonly title: string | undefined;
  /** When its last update was made, in milliseconds since 1970. */
  readonly at: number;
  readonly changed: readonly string[];
  /** Distinguishes it from other updates of the task. */
  readonly key: string;
}

/** A bulk run may have logged a million tasks, far more than a user can pick from. */
const maxTasks = 10_000;

/** The last updated first. `run`: only what that bulk run changed, in all of its tasks. */
export async function readLoggedTasks(world: Pick<World, 'files'>, host: string, run?: string) {
  // By task: its updates, oldest first. The map ends with the task that was updated last.
  const tasks = new Map<string, readonly Entry[]>();
  for await (const lines of readLines(world, host)) for (const line of lines) addLine(tasks, line, run);
  return [...tasks.values()].flatMap((entries) => entries.at(-1) ?? []).toReversed();
}

/** Many at a time: a promise for each of a million lines would cost more than the line. */
async function* readLines(world: Pick<World, 'files'>, host: string) {
  await assertPrivateStateFolder(world);
  const log = undoLog(world, host);
  for (const name of await monthlyFiles(world, log))
    for await (const { text } of readPieces(world, log, name)) yield text.split('\n');
}

/** The lines of the rows of a bulk run whose previous values are in the log, unless these were struck out. */
export async function readLoggedRows(world: Pick<World, 'files'>, host: string, run: string) {
  const rows = new Set<number>();
  for await (const lines of readLines(world, host))
    for (const line of lines.filter((candidate) => candidate.includes(run))) {
      const entry = asObject(parseJsonIfValid(line));
      const { key, row } = asObject(entry['bulk']);
      if (key !== run || typeof row !== 'number') continue;
      if (entry['struck'] === true) rows.delete(row);
      else if ('before' in entry) rows.add(row);
    }
  return rows;
}

function addLine(tasks: Map<string, readonly Entry[]>, text: string, run: string | undefined): void {
  const line = asObject(parseJsonIfValid(text));
  const { task, at } = line;
  if (typeof task !== 'string' || typeof at !== 'number') return;
  if (run !== undefined && asObject(line['bulk'])['key'] !== run) return;
  const key = JSON.stringify([at, line['uptime'], line['bulk']]);
  const before = tasks.get(task) ?? [];
  // An update that changed nothing cannot be undone.
  if (line['struck'] === true) {
    const remaining = before.filter((entry) => entry.key !== key);
    if (remaining.length === 0) tasks.delete(task);
    else tasks.set(task, remaining);
    return;
  }
  if (!('before' in line)) return;
  const sent = asObject(line['sent']);
  const title = [sent['title'], asObject(line['before'])['title']].find((value) => typeof value === 'string');
  tasks.delete(task);
  tasks.set(task, [
    // Only the last update can still be struck out, except in a bulk run.
    ...(run === undefined ? before.slice(-1) : before),
    { id: task, title: String(title ?? '') || undefined, at, changed: Object.keys(sent), key },
  ]);
  const [oldest] = tasks.keys();
  if (run === undefined && tasks.size > maxTasks && oldest !== undefined) tasks.delete(oldest);
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
