// Finds the last update of a task in the undo log: a single update, or all rows of a bulk run that changed the task with no
// other update between them. An undo is an update too, unless its outcome is unknown: then the update that it reverses is
// still the last one, and the task shows whether it took effect.

import { monthlyFiles, undoLog } from '#cli/monthly-log.ts';
import type { Task } from '#contract/task.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';
import { type Step, taskAfter } from '../parts/task-after.ts';
import { type Damage, type LogEntry, readEntries } from './read-log.ts';
import { isSince, type UpdateKey } from './write-log.ts';

/** The update that one undo reverses. */
export interface LastUpdate {
  readonly task: string;
  /** When its last step was made, in milliseconds since 1970. */
  readonly at: number;
  /** The task before the first step. */
  readonly before: Task;
  /** One for each row of a bulk run. */
  readonly steps: readonly Step[];
  /** Undos of this update with an unknown outcome, latest first. */
  readonly unsettled: readonly UnsettledUndo[];
  readonly isUndo: boolean;
  /** File and line in the log, which identify the update. */
  readonly place: string;
}

export type UnsettledUndo = UpdateKey & Pick<LogEntry, 'file' | 'sent'>;

/** By row, in order. */
type Rows = ReadonlyMap<number, LogEntry>;

/** The last update of the task in the log, or the damage that hides it. */
export async function readLastUpdate(
  world: Pick<World, 'files'>,
  host: string,
  task: string,
): Promise<LastUpdate | Damage | undefined> {
  await assertPrivateStateFolder(world);
  let rows: Rows = new Map();
  const unsettled: LogEntry[] = [];
  // A bulk run may have been resumed in another month.
  const log = undoLog(world, host);
  for (const name of (await monthlyFiles(world, log)).toReversed()) {
    const entries = await readEntries(world, log, name, task);
    if (rows.size === 0) takeUnsettled(entries, unsettled);
    const last = lastIn(entries);
    if (last.damage) return last.damage;
    if (last.rows.size === 0) continue;
    if (rows.size > 0 && bulkOf(last.rows) !== bulkOf(rows)) break;
    rows = new Map([...last.rows, ...rows]);
    if (!last.isOnly || bulkOf(rows) === undefined) break;
  }
  return mergeRows(rows, unsettled);
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

/**
 * `isOnly`: true if the file has no other update of the task. `damage`: a damaged line that may be a later update, or another row of
 * the same bulk run.
 */
function lastIn(entries: readonly (LogEntry | Damage)[]) {
  let rows = new Map<number, LogEntry>();
  const earlier: LogEntry[] = [];
  let damage: Damage | undefined;
  for (const entry of entries) {
    if ('damaged' in entry) {
      damage = entry;
      continue;
    }
    const { key, row: line = 0 } = entry.bulk ?? {};
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
      ...omitUndefined({ bulk }),
    }));
  const { task, at, place, undoes } = last;
  return { task, at, before: first.before, steps, unsettled, isUndo: undoes !== undefined, place };
}
