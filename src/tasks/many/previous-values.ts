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
  /** As ids are unique there. */
  readonly host: string;
  /** The same when it goes on. */
  readonly key: string;
}

export interface PreviousValuesLog {
  /** The same rows. A task that cannot be read has no values in the log; its update will most likely fail, too. */
  readonly batches: AsyncIterable<readonly TaskRow[]>;
  /** Hears of each response when it comes, long before its row counts as done. */
  onResponse(row: ValidTaskRow, response: unknown): void;
  /** Hears what has become of each. */
  onResult(result: TaskResult): void;
  /** Once nothing is sent any more. */
  close(): Promise<void>;
}

type ValidTaskRow = ValidRow<TaskUpdate>;

interface Dependencies {
  readonly world: Pick<World, 'files' | 'clock'>;
  readonly session: Session;
  readonly rateLimiter: RateLimiter;
  readonly states: RowStates;
  /** What --rate allows. */
  readonly perMinute: number | undefined;
}

/** What is read so long before it is sent may have been changed meanwhile. */
const maxReadAheadSeconds = 5;

export function logPreviousValues(
  { host, key }: BulkKey,
  { world, session, rateLimiter, states, perMinute = Number.POSITIVE_INFINITY }: Dependencies,
  batches: AsyncIterable<readonly TaskRow[]>,
): PreviousValuesLog {
  const allowed = Math.floor((perMinute * maxReadAheadSeconds) / 60);
  const most = Math.max(1, Math.min(limit.tasksPerGet, allowed));
  /** By row, what is on record and has no outcome yet. */
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
        // What was answered before is not sent again; what was sent may be changed already, and is on record.
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
    batches: readAhead(),
    onResponse({ line, update }, response) {
      const kept = open.get(line);
      // Of a record that has an id, what else is invalid is left out.
      const left = valuesAfter(update, readLeniently(taskRecord, response), 'response');
      if (kept) open.set(line, { ...kept, made: momentNow(world), left });
    },
    onResult({ row: { line }, outcome }) {
      const kept = open.get(line);
      open.delete(line);
      if (!kept || !outcome || outcome.kind === 'unknown') return;
      if (outcome.kind === 'updated') ends.push({ made: momentNow(world), ...kept });
      else ends.push({ ...kept, made: undefined });
    },
    async close() {
      // What was sent and has no response stays as it is on record.
      for (const [row, kept] of open)
        if (kept.made !== undefined || states.get(row) === rowState.notSent)
          ends.push({ ...kept, made: kept.made });
      // They stay as they are on record where the disk takes no more.
      await writePendingEnds().catch(() => {});
    },
  };
}
