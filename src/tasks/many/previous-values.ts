// Logs the previous values of a bulk run: reads up to a hundred tasks at a time ahead of their updates, and writes them
// to the undo log before any update is sent. Then logs the result of each: a row that changed nothing is struck out, and an
// update counts from its response, with the values that the response shows.

import type { RateLimiter } from '#bulk/rate-limiter.ts';
import type { ValidRow } from '#bulk/row.ts';
import { rowState } from '#bulk/row-states.ts';
import type { Context } from '#cli/context.ts';
import type { Session } from '#client/session.ts';
import { limit } from '#contract/limit.ts';
import { readLeniently } from '#contract/schema.ts';
import { type TaskUpdate, taskRecord } from '#contract/task.ts';
import { accountHost } from '#login/select-account.ts';
import { readTasks } from '../one/read-task.ts';
import { valuesAfter } from '../parts/task-after.ts';
import { momentNow, type UpdateEnd, type UpdateKey, writeEnds, writeUpdates } from '../undo-log/write-log.ts';
import type { OpenJournal } from './journal-file.ts';
import type { TaskResult } from './results.ts';
import type { TaskRow } from './row-resolver.ts';

interface Sending {
  readonly session: Session;
  readonly rateLimiter: RateLimiter;
  /** Requests per minute, from --rate. */
  readonly perMinute: number | undefined;
}

/** How long before its update a task may be read: another user may change it meanwhile. */
const maxReadAheadSeconds = 5;

export async function logPreviousValues(
  context: Context,
  { name: key, states }: OpenJournal,
  { session, rateLimiter, perMinute = Number.POSITIVE_INFINITY }: Sending,
  batches: AsyncIterable<readonly TaskRow[]>,
) {
  const { world } = context;
  const host = await accountHost(context);
  const perReadAhead = Math.floor((perMinute * maxReadAheadSeconds) / 60);
  const batchSize = Math.max(1, Math.min(limit.tasksPerGet, perReadAhead));
  /** By row: logged values without an outcome yet. */
  const open = new Map<number, UpdateKey & Pick<UpdateEnd, 'file'> & Partial<UpdateEnd>>();
  let ends: UpdateEnd[] = [];
  const writePendingEnds = async () => {
    const pending = ends;
    ends = [];
    await writeEnds(world, pending);
  };

  async function* readAhead(): AsyncGenerator<readonly TaskRow[]> {
    for await (const batch of batches) {
      for (let start = 0; start < batch.length; start += batchSize) {
        const rows = batch.slice(start, start + batchSize);
        // Rows with a response are not sent again. Rows without a response may have taken effect, and are logged already.
        const newRows = rows.flatMap((row) =>
          'invalid' in row || states.get(row.line) !== rowState.notSent ? [] : [row],
        );
        if (newRows.length > 0 && (await rateLimiter.acquire())) {
          const tasks = await readTasks(session, [...new Set(newRows.map(({ id }) => id))]).finally(() =>
            rateLimiter.release(),
          );
          const before = new Map(tasks.map((task) => [task.id, task]));
          const read = momentNow(world);
          const updates = newRows.flatMap(({ id, line: row, update }) => {
            const task = before.get(id);
            return task ? [{ task: id, ...read, bulk: { key, row }, sent: update, before: task }] : [];
          });
          await writePendingEnds();
          const file = await writeUpdates(world, host, updates);
          for (const { task, bulk } of updates) open.set(bulk.row, { task, ...read, bulk, file });
        }
        yield rows;
      }
    }
  }

  return {
    /** The same rows. A task that cannot be read gets no log entry: its update will most likely fail too. */
    batches: readAhead(),
    /** Called for each response as it comes, long before its row counts as done. */
    onResponse({ line, update }: ValidRow<TaskUpdate>, response: unknown) {
      const logged = open.get(line);
      // A record with a valid id is kept, without its invalid members.
      const left = valuesAfter(update, readLeniently(taskRecord, response), 'response');
      if (logged) open.set(line, { ...logged, made: momentNow(world), left });
    },
    onResult({ row: { line }, outcome }: TaskResult) {
      const logged = open.get(line);
      open.delete(line);
      if (!logged || !outcome || outcome.kind === 'unknown') return;
      if (outcome.kind === 'updated') ends.push({ made: momentNow(world), ...logged });
      else ends.push({ ...logged, made: undefined });
    },
    /** Called after the last request. */
    async close() {
      // Rows that were sent without a response stay in the log without a result.
      for (const [row, logged] of open)
        if (logged.made !== undefined || states.get(row) === rowState.notSent)
          ends.push({ ...logged, made: logged.made });
      // On a full disk, so do these.
      await writePendingEnds().catch(() => {});
    },
  };
}
