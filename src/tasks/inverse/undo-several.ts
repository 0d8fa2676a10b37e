// Undoes the last updates of several tasks, or what one bulk run changed: one plan and one question on a terminal, then one task after
// the other. A task that fails does not stop the others.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatRepeatedCommand } from '#cli/format-command.ts';
import { readHistory } from '#cli/history/read-history.ts';
import { commandHint, Failure, toFailure, usageError } from '#failure.ts';
import { accountHost } from '#login/select-account.ts';
import { createNameReader } from '../display/names.ts';
import { readHeader } from '../many/bulk-journal-place.ts';
import { lockJournal, runName } from '../many/journal-file.ts';
import { readTasks } from '../one/read-task.ts';
import { nameTask } from '../select/named-task.ts';
import { readLoggedTasks } from '../undo-log/last-update.ts';
import { planUndo, showUndoPlan } from './plan-undo.ts';
import { emptyLogHint, requireLastUpdate, type Several, undoLastUpdate } from './undo-last-update.ts';

/** The name of the run in the undo log. Locks its journal, so that its rows are not sent while they are undone. */
export async function findRun(context: Context, typed: string): Promise<string> {
  const { world } = context;
  const journal = typed === 'last' ? await lastJournal(context) : typed;
  const header = await readHeader(world.files, journal);
  if (!header)
    throw usageError(
      `${journal} is not the journal of a bulk run`,
      'Each bulk run prints the path of its journal.',
    );
  const lock = await lockJournal(world.lock, journal);
  context.atEnd(() => lock.release());
  return runName(header);
}

/** By the history, which has runs that cannot be undone too: an earlier run is never taken for the last one. */
async function lastJournal(context: Context): Promise<string> {
  const host = await accountHost(context);
  const [from, before, limit] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const { entries } = await readHistory(context.world, {
    ids: [],
    command: 'task update',
    from,
    before,
    limit,
  });
  const last = entries.findLast(({ begun }) => begun.bulk && begun.host === host)?.begun;
  if (!last?.bulk)
    throw new Failure('not_found', { message: 'The history has no bulk run', hint: emptyLogHint });
  const { file = 'ids', journal, rows } = last.bulk;
  await context.report.info(
    `The last bulk run: ${countOf(rows, 'row')} from ${file}, ${last.at}. Journal: ${journal}`,
  );
  return journal;
}

/** The ids of the tasks that the texts name, or that the run changed, in the order of its rows. */
export async function findTasks(
  context: Context,
  texts: readonly string[],
  run: string | undefined,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const text of texts) ids.push((await nameTask(context, text)).id);
  if (run === undefined) return [...new Set(ids)];
  const tasks = await readLoggedTasks(context.world, await accountHost(context), run);
  if (tasks.length > 0) return tasks.map(({ id }) => id).toReversed();
  throw new Failure('not_found', {
    message: 'The undo log has nothing of that bulk run',
    hint: emptyLogHint,
  });
}

export async function undoSeveral(
  context: Context,
  tasks: readonly string[],
  run: string | undefined,
  overwrites: boolean,
): Promise<void> {
  const { report } = context;
  const failures = new Map<string, Failure>();
  const attempt = async (task: string, action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      const failure = toFailure(error);
      const { concerns } = failure.meaning;
      if (concerns !== 'input' && concerns !== 'record' && failure.code !== 'part_failed') throw error;
      failures.set(task, failure);
      const isNamed = failure.message.includes(task);
      await report.failure(isNamed ? failure : failure.with({ message: `${task}: ${failure.message}` }));
    }
  };
  const several: Several = { run, confirmed: new Map(), readNames: createNameReader(context, 'errors') };
  const { confirmed } = several;
  if (context.canPrompt && !context.common.yes) {
    const read = new Map((await readTasks(await context.session(), tasks)).map((task) => [task.id, task]));
    for (const task of tasks)
      await attempt(task, async () => {
        const last = await requireLastUpdate(context, task, run);
        const plan = planUndo(last, read.get(task));
        if (plan.requests.length > 0) await showUndoPlan(context, last, plan, several.readNames);
        // Changes since the update are asked about when it is the task's turn.
        if (plan.requests.length > 0 && (plan.conflicts.length === 0 || overwrites))
          confirmed.set(task, { last, plan });
      });
  }
  const scope = run === undefined ? '' : ' by that bulk run';
  if (failures.size < tasks.length)
    await context.confirm(
      `Undo the last update of each of ${countOf(tasks.length - failures.size, 'task')}${scope}?`,
    );
  const queue = tasks.filter((task) => !failures.has(task));
  const repeat = () =>
    formatRepeatedCommand(context, 'task undo', run === undefined ? [...failures.keys(), ...queue] : []);
  context.onInterruptHint(() => `To undo the others: ${repeat()}`);
  let ended: Failure | undefined;
  for (let [task] = queue; task !== undefined && !ended; [task] = queue) {
    const next = task;
    const undo = async () => {
      const { last } = confirmed.get(next) ?? { last: await requireLastUpdate(context, next, run) };
      await undoLastUpdate(context, last, overwrites, several);
    };
    await attempt(next, undo).then(
      () => queue.shift(),
      (error: unknown) => {
        ended = toFailure(error);
      },
    );
  }
  const left = failures.size + queue.length;
  if (left === 0) return;
  throw new Failure((left === tasks.length && ended?.code) || 'part_failed', {
    message: `${left} of ${countOf(tasks.length, 'task')} ${left === 1 ? 'was' : 'were'} not undone`,
    why: ended?.sentence,
    hint: commandHint('To undo the others: ', repeat()),
    cause: ended,
  });
}
