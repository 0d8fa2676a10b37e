// Writes the undo log: a line for each update (for each row of a bulk run) with the previous values, and a second line for
// its end, with the values that it left. Only the user may read it, since it holds contents of tasks.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Task, TaskUpdate } from '#contract/task.ts';
import { appendSynced, undoLog } from '#local-records/monthly-log.ts';
import { withLock } from '#login/lock-wait.ts';
import type { World } from '#world/world.ts';
import type { TaskValues } from '../parts/part.ts';

/** A time by two clocks: the time of day, which may be set, and the time since the machine started, which orders events until a restart. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds since the machine started, the same for all processes. An older version did not log it. */
  readonly uptime?: number | undefined;
}

export function momentNow({ clock }: Pick<World, 'clock'>): Moment {
  return { at: clock.now(), uptime: Math.round(clock.monotonic() * 1000) / 1000 };
}

/** True if `a` is later. Both are from the same start of the machine. */
export function isSince(a: Moment, b: Moment): boolean {
  return a.uptime === undefined || b.uptime === undefined ? a.at > b.at : a.uptime > b.uptime;
}

export function isSameMoment(a: Moment, b: Moment): boolean {
  return a.at === b.at && (a.uptime === undefined || b.uptime === undefined || a.uptime === b.uptime);
}

/** Identifies a logged update: its task, when its previous values were read, and its row. */
export interface UpdateKey extends Moment {
  readonly task: string;
  /** The bulk run that it belongs to, if any, and its row there. */
  readonly bulk?: { readonly key: string; readonly row: number } | undefined;
}

export interface LoggedUpdate extends UpdateKey {
  readonly sent: TaskUpdate;
  readonly before: Task;
  /** For an undo: when the update that it reverses was made, in milliseconds since 1970. */
  readonly undoes?: number | undefined;
}

type Parts = Pick<World, 'files'>;

/** Writes updates to disk before they are sent. Returns the name of the file, to which their ends must be written too. */
export async function writeUpdates(world: Parts, host: string, updates: readonly LoggedUpdate[]) {
  const [first] = updates;
  if (!first) return '';
  // Readers look for the task at the start of a line.
  const lines = updates.map(({ task, ...update }) => ({ task, ...update }));
  return appendSynced(world, undoLog(world, host), { now: first.at }, lines);
}

export interface UpdateEnd extends UpdateKey {
  /** The file that has the update. */
  readonly file: string;
  /** When it was made; undefined if it certainly changed nothing, so that there is nothing to undo. */
  readonly made: Moment | undefined;
  /** The values that the response showed of the changed parts. */
  readonly left?: TaskValues | undefined;
}

export async function writeEnds(world: Parts, ends: readonly UpdateEnd[]): Promise<void> {
  for (const name of new Set(ends.map(({ file }) => file))) {
    const endsInFile = ends.filter(({ file }) => file === name);
    const lines = endsInFile.map(({ task, at, uptime, bulk, made, left }) =>
      made === undefined
        ? { task, at, uptime, bulk, struck: true }
        : { task, at, uptime, bulk, madeAt: made.at, madeUptime: made.uptime, left },
    );
    await appendSynced(world, undoLog(world), { name }, lines);
  }
}

/** Lock files are never deleted, so all tasks share 256 of them; tasks with the same file wait for each other. */
export function taskLock({ files }: Parts, host: string, task: string): string {
  const hash = createHash('sha256').update(`${host} ${task}`).digest('hex');
  return join(undoLog({ files }).folder, 'locks', `${hash.slice(0, 2)}.lock`);
}

/** `activity` is shown by other processes while they wait. Throws a {@link Failure} if another wm holds the lock for too long. */
export function withTaskLock<T>(
  world: Pick<World, 'files' | 'lock'>,
  host: string,
  task: string,
  activity: 'undoing an update' | 'updating a task',
  work: () => Promise<T>,
): Promise<T> {
  const request = { activity, unchanged: 'Nothing was sent.' };
  return withLock(world, taskLock(world, host, task), request, work);
}
