// Logs the previous values of a bulk run: reads up to a hundred tasks at a time ahead of their updates, and writes them to the undo
// log; a short run sends nothing before all are in the log. Then logs the result of each: a row that changed nothing is struck out,
// and an update counts from its response, with the values that the response shows.

import type { RateLimiter } from '#bulk/rate-limiter.ts';
import type { ValidRow } from '#bulk/row.ts';
import { rowState } from '#bulk/row-states.ts';
import type { Context } from '#cli/context.ts';
import type { Session } from '#client/session.ts';
import { readLeniently } from '#contract/schema.ts';
import { type TaskUpdate, taskRecord } from '#contract/task.ts';
import { toFailure } from '#failure.ts';
import { accountHost } from '#login/select-account.ts';
import { readTasks } from '../one/read-task.ts';
import { valuesAfter } from '../parts/task-after.ts';
import { readLoggedRows } from '../undo-log/last-update.ts';
import { momentNow, type UpdateEnd, type UpdateKey, writeEnds, writeUpdates } from '../undo-log/write-log.ts';
import type { OpenJournal } from './journal-file.ts';
import { type BulkPlan, readsAllFirst } from './plan.ts';
import { inHundreds } from './read-rows.ts';
import type { TaskResult } from './results.ts';
import type { TaskRow } from './row-resolver.ts';

/** How long before its update a task may be read: another user may change it meanwhile. */
const maxReadAheadSeconds = 5;

export async function logPreviousValues(
  context: Context,
  { name: key, states }: OpenJournal,
  plan: BulkPlan,
  { session, rateLimiter }: { readonly session: Session; readonly rateLimiter: RateLimiter },
  batches: AsyncIterable<readonly TaskRow[]>,
) {
  const { world } = context;
  const host = await accountHost(context);
  const { rate: perMinute = Number.POSITIVE_INFINITY } = plan.flags;
  const mostAhead = Math.floor((perMinute * maxReadAheadSeconds) / 60);
  /** By row: logged values without an outcome yet. */
  const open = new Map<number, UpdateKey & Pick<UpdateEnd, 'file'> & Partial<UpdateEnd>>();
  let ends: UpdateEnd[] = [];
  const writePendingEnds = async () => {
    const pending = ends;
    ends = [];
    await writeEnds(world, pending);
  };

  const logged = states.counts().unknown > 0 ? await readLoggedRows(world, host, key) : new Set<number>();
  /**
   * Rows with a response are not sent again. Rows without one may have taken effect, and are logged already. But a row may only count
   * as sent, because a power cut may have taken its entry, and not have been read yet.
   */
  const isNew = (line: number): boolean => {
    const state = states.get(line);
    return state === rowState.notSent || (state === rowState.sent && !logged.has(line));
  };

  const readAndLog = async (rows: readonly TaskRow[]): Promise<void> => {
    const newRows = rows.flatMap((row) => ('invalid' in row || !isNew(row.line) ? [] : [row]));
    if (newRows.length === 0 || !(await rateLimiter.acquire())) return;
    const tasks = await readTasks(session, [...new Set(newRows.map(({ id }) => id))])
      .catch((error: unknown) => {
        const failure = toFailure(error);
        throw failure.with({ message: `Reading the tasks for \`wm task undo\` failed: ${failure.message}` });
      })
      .finally(() => rateLimiter.release());
    const before = new Map(tasks.map((task) => [task.id, task]));
    const read = momentNow(world);
    const updates = newRows.flatMap(({ id, line: row, update }) => {
      const task = before.get(id);
      return task ? [{ task: id, ...read, bulk: { key, row }, sent: update, before: task }] : [];
    });
    await writePendingEnds();
    const file = await writeUpdates(world, host, updates);
    for (const { task, bulk } of updates) open.set(bulk.row, { task, ...read, bulk, file });
  };

  async function* readAhead(): AsyncGenerator<readonly TaskRow[]> {
    const held: (readonly TaskRow[])[] = [];
    for await (const rows of inHundreds(batches, mostAhead)) {
      await readAndLog(rows);
      if (readsAllFirst(plan)) held.push(rows);
      else yield rows;
    }
    yield* held;
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
