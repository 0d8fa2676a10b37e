// Logs the previous values of a bulk run: reads up to a hundred tasks at a time ahead of their updates, and writes them
// to the undo log before any update is sent. Afterwards it logs the result of each: a row that changed nothing is struck
// out, and an update counts from its response, with the values that it shows.

import type { RateLimiter } from '#bulk/rate-limiter.ts';
import type { ValidRow } from '#bulk/row.ts';
import { type RowStates, rowState } from '#bulk/row-states.ts';
import type { Session } from '#client/session.ts';
import { limit } from '#contract/limit.ts';
import { readLeniently } from '#contract/schema.ts';
import { type TaskUpdate, taskRecord } from '#contract/task.ts';
import type { World } from '#world/world.ts';
import { readTasks } from '../one/read-task.ts';
import { valuesAfter } from '../parts/task-after.ts';
import { momentNow, type UpdateEnd, type UpdateKey, writeEnds, writeUpdates } from '../undo-log/write-log.ts';
import type { TaskResult } from './results.ts';
import type { TaskRow } from './row-resolver.ts';

export interface BulkKey {
  /** The host of the account: ids are unique only there. */
  readonly host: string;
  /** Identifies the run; the same when it is resumed. */
  readonly key: string;
}

export type PreviousValuesLog = ReturnType<typeof logPreviousValues>;

interface Dependencies {
  readonly world: Pick<World, 'files' | 'clock'>;
  readonly session: Session;
  readonly rateLimiter: RateLimiter;
  readonly states: RowStates;
  /** Requests per minute, from --rate. */
  readonly perMinute: number | undefined;
}

/** How long before its update a task may be read: another user may change it meanwhile. */
const maxReadAheadSeconds = 5;

export function logPreviousValues(
  { host, key }: BulkKey,
  { world, session, rateLimiter, states, perMinute = Number.POSITIVE_INFINITY }: Dependencies,
  batches: AsyncIterable<readonly TaskRow[]>,
) {
  const allowed = Math.floor((perMinute * maxReadAheadSeconds) / 60);
  const most = Math.max(1, Math.min(limit.tasksPerGet, allowed));
  /** By row: logged values without an outcome yet. */
  const open = new Map<number, UpdateKey & Pick<UpdateEnd, 'file'> & Partial<UpdateEnd>>();
  let ends: UpdateEnd[] = [];
  const writePendingEnds = async () => {
    const some = ends;
    ends = [];
    await writeEnds(world, some);
  };

  async function* readAhead(): AsyncGenerator<readonly TaskRow[]> {
    for await (const batch of batches) {
      for (let from = 0; from < batch.length; from += most) {
        const some = batch.slice(from, from + most);
        // Rows with a response are not sent again. Rows without one may have taken effect, and are logged already.
        const fresh = some.flatMap((row) =>
          'invalid' in row || states.get(row.line) !== rowState.notSent ? [] : [row],
        );
        if (fresh.length > 0 && (await rateLimiter.acquire())) {
          const tasks = await readTasks(session, [...new Set(fresh.map(({ id }) => id))]).finally(() =>
            rateLimiter.release(),
          );
          const before = new Map(tasks.map((task) => [task.id, task]));
          const read = momentNow(world);
          const kept = fresh.flatMap(({ id, line: row, update }) => {
            const task = before.get(id);
            return task ? [{ task: id, ...read, bulk: { key, row }, sent: update, before: task }] : [];
          });
          await writePendingEnds();
          const file = await writeUpdates(world, host, kept);
          for (const { task, bulk } of kept) open.set(bulk.row, { task, ...read, bulk, file });
        }
        yield some;
      }
    }
  }

  return {
    /** The same rows. A task that cannot be read gets no log entry: its update will most likely fail as well. */
    batches: readAhead(),
    /** Called for each response as it comes, long before its row counts as done. */
    onResponse({ line, update }: ValidRow<TaskUpdate>, response: unknown) {
      const kept = open.get(line);
      // Keep a record with a valid id, and leave out its other invalid members.
      const left = valuesAfter(update, readLeniently(taskRecord, response), 'response');
      if (kept) open.set(line, { ...kept, made: momentNow(world), left });
    },
    onResult({ row: { line }, outcome }: TaskResult) {
      const kept = open.get(line);
      open.delete(line);
      if (!kept || !outcome || outcome.kind === 'unknown') return;
      if (outcome.kind === 'updated') ends.push({ made: momentNow(world), ...kept });
      else ends.push({ ...kept, made: undefined });
    },
    /** Called after the last request. */
    async close() {
      // Rows that were sent without a response keep their logged values, without a result.
      for (const [row, kept] of open)
        if (kept.made !== undefined || states.get(row) === rowState.notSent)
          ends.push({ ...kept, made: kept.made });
      // If the disk is full, these keep theirs without a result, too.
      await writePendingEnds().catch(() => {});
    },
  };
}
