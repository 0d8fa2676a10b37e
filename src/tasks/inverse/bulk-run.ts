// Finds what a bulk run changed, by its journal, for `wm task undo --run`.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { usageError } from '#failure.ts';
import { readHistory } from '#local-records/history/read-history.ts';
import { accountHost } from '#login/select-account.ts';
import { readHeader } from '../many/bulk-journal-place.ts';
import { lockJournal, runName } from '../many/journal-file.ts';
import { readLoggedTasks } from '../undo-log/last-update.ts';
import { findUndoable, notLogged, type Undoable } from './undo-tasks.ts';

/** The tasks in the order of the run's rows. Locks the journal: rows must not be sent while they are undone. */
export async function findRun(context: Context, typed: string): Promise<Undoable> {
  const { world } = context;
  const host = await accountHost(context);
  const journal = typed === 'last' ? await lastJournal(context, host) : typed;
  const header = await readHeader(world.files, journal);
  if (!header)
    throw usageError(
      `${journal} is not the journal of a bulk run`,
      'Each bulk run prints the path of its journal.',
    );
  const lock = await lockJournal(world.lock, journal);
  context.atEnd(() => lock.release());
  const run = runName(header);
  const tasks = await readLoggedTasks(world, host, run);
  if (tasks.length === 0) throw notLogged('The undo log has nothing of that bulk run');
  return findUndoable(context, tasks.map(({ id }) => id).toReversed(), run);
}

/** By the history, which has runs that cannot be undone too: an earlier run is never taken for the last one. */
async function lastJournal({ report, world }: Context, host: string): Promise<string> {
  const filter = { ids: [], command: 'task update', limit: Number.POSITIVE_INFINITY };
  const { entries } = await readHistory(world, filter);
  const last = entries.findLast(({ begun }) => begun.bulk && begun.host === host)?.begun;
  if (!last?.bulk) throw notLogged('The history has no bulk run');
  const { file = 'ids', journal, rows } = last.bulk;
  await report.info(
    `The last bulk run: ${countOf(rows, 'row')} from ${file}, ${last.at}. Journal: ${journal}`,
  );
  return journal;
}
