// Finds the last update of a task in the undo log: a single update, or all rows of a bulk run that changed the task with no
// other update between them. An undo is an update too, unless its outcome is unknown: then the update that it reverses is
// still the last one, and the task shows whether it took effect.

import { undoLog } from '#cli/history/log-folders.ts';
import { monthlyFiles } from '#cli/monthly-log.ts';
import type { Task } from '#contract/task.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import type { World } from '#world/world.ts';
import { type Step, taskAfter } from '../parts/task-after.ts';
import { type Damage, type LogEntry, readEntries } from './read-log.ts';
import { isSince, type UpdateKey } from './write-log.ts';

/** What one undo reverses. */
export interface LastUpdate {
  readonly task: string;
  /** When its last step was made, in milliseconds since 1970. */
  readonly at: number;
  /** The task before the first step. */
  readonly before: Task;
  /** One for each row of a bulk run. */
  readonly steps: readonly Step[];
  /** Undos of it with an unknown outcome, latest first. */
  readonly unsettled: readonly UnsettledUndo[];
  readonly isUndo: boolean;
  /** Its place in the log, which tells two updates apart. */
  readonly place: string;
}

export type UnsettledUndo = UpdateKey & Pick<LogEntry, 'file' | 'sent'>;

type Parts = Pick<World, 'files'>;

/** By row, in order. */
type Rows = ReadonlyMap<number, LogEntry>;

/** The last update of the task in the log, or the damage that hides it. */
export async function readLastUpdate(
  world: Parts,
  host: string,
  task: string,
): Promise<LastUpdate | Damage | undefined> {
  await assertPrivateStateFolder(world);
  let rows: Rows = new Map();
  const unsettled: LogEntry[] = [];
  // A bulk run may have been resumed in another month.
  const log = undoLog(world, host);
  for (const name of (await monthlyFiles(world, log)).toReversed()) {
    const all = await readEntries(world, log, name, task);
    if (rows.size === 0) takeUnsettled(all, unsettled);
    const found = lastIn(all);
    if (found.damage) return found.damage;
    if (found.rows.size === 0) continue;
    if (rows.size > 0 && bulkOf(found.rows) !== bulkOf(rows)) break;
    rows = new Map([...found.rows, ...rows]);
    if (!found.isAll || bulkOf(rows) === undefined) break;
  }
  return mergeRows(rows, unsettled);
}

/** Moves the last undos, if their outcome is unknown, from `all` to `unsettled`, each with all its requests. */
function takeUnsettled(all: (LogEntry | Damage)[], unsettled: LogEntry[]): void {
  for (let last = all.at(-1); last && 'undoes' in last; last = all.at(-1)) {
    const key = last.bulk?.key;
    const isOfOne = key !== undefined && key === unsettled.at(-1)?.bulk?.key;
    if (last.isEnded && !isOfOne) break;
    unsettled.push(last);
    all.pop();
  }
}

interface Found {
  readonly rows: Rows;
  /** True if the file has no other update of the task. */
  readonly isAll: boolean;
  /** The damaged line may be a later update, or another row of the same bulk run. */
  readonly damage: Damage | undefined;
}

function lastIn(all: readonly (LogEntry | Damage)[]): Found {
  let rows = new Map<number, LogEntry>();
  const earlier: LogEntry[] = [];
  let damage: Damage | undefined;
  for (const entry of all) {
    if ('damaged' in entry) {
      damage = entry;
      continue;
    }
    const { key, row = 0 } = entry.bulk ?? {};
    if (rows.size > 0 && (key === undefined || key !== bulkOf(rows))) {
      for (const one of rows.values()) earlier.push(one);
      rows = new Map();
    }
    if (key === undefined) damage = undefined;
    // A row that was logged twice was not sent the first time: the second entry has its previous values.
    rows.set(row, rows.size === 0 ? applyEarlier(entry, earlier) : entry);
  }
  return { rows, isAll: earlier.length === 0, damage };
}

/** A bulk run reads tasks ahead of their updates. What this machine changed in between belongs to the previous values. */
function applyEarlier(entry: LogEntry, earlier: readonly LogEntry[]): LogEntry {
  const { readAt } = entry;
  const since = earlier.filter(
    (one) =>
      isSince(one, readAt) &&
      // Earlier entries may be from before a restart of the machine, where uptimes cannot be compared.
      (one.lines.last > entry.lines.first || one.at >= readAt.at),
  );
  return { ...entry, before: taskAfter(entry.before, since).left };
}

function bulkOf(rows: Rows): string | undefined {
  const [first] = rows.values();
  return first?.bulk?.key;
}

function mergeRows(rows: Rows, undos: readonly LogEntry[]): LastUpdate | undefined {
  const steps = [...rows.values()];
  const [first] = steps;
  const last = steps.at(-1);
  if (!first || !last) return undefined;
  const unsettled = undos
    .filter(({ isEnded }) => !isEnded)
    .map(({ task, readAt, file, bulk, sent }) => ({
      task,
      ...readAt,
      file,
      sent,
      ...(bulk ? { bulk } : {}),
    }));
  const { task, at, place, undoes } = last;
  return { task, at, before: first.before, steps, unsettled, isUndo: undoes !== undefined, place };
}
