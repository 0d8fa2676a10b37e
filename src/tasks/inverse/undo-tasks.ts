// Undoes the last updates of tasks, or what one bulk run changed in them: one plan and one question, then each task under its own lock, so
// that neither log nor task changes before its undo is logged. No lock is held during a prompt; both are read again after it.

import type { Context } from '#cli/context.ts';
import { agree, countOf } from '#cli/count-of.ts';
import { toWords } from '#cli/flags/flag.ts';
import { formatRepeatedCommand } from '#cli/format-command.ts';
import { commandHint, Failure, toFailure, usageError } from '#failure.ts';
import { accountHost } from '#login/select-account.ts';
import { formatRelativeTime } from '#terminal/relative-time.ts';
import { createNameReader } from '../display/names.ts';
import { showTaskHint } from '../one/explain-failure.ts';
import { readTask, readTasks } from '../one/read-task.ts';
import { canPick, missingTask } from '../select/task-text.ts';
import { createLastUpdateReader, type LastUpdate, readLoggedTasks } from '../undo-log/last-update.ts';
import { withTaskLock } from '../undo-log/write-log.ts';
import { confirmOverwriting, nothingToUndo, planUndo, showUndoPlan, type UndoPlan } from './plan-undo.ts';
import { sendUndo, settleUndo } from './send-undo.ts';

export interface Undoable {
  readonly tasks: readonly string[];
  readonly isRun: boolean;
  /** Throws a {@link Failure} if the log has nothing of the task, or is damaged where the last update may be. */
  readonly readLast: (task: string) => Promise<LastUpdate>;
}

interface PlannedUndo {
  readonly last: LastUpdate;
  readonly plan: UndoPlan;
}

/** A task that fails does not stop the others. A failure that all would have, such as an expired sign-in, ends the command. */
export async function undoTasks(context: Context, undoable: Undoable, overwrites: boolean): Promise<void> {
  const { canPrompt, common, report, world } = context;
  const { tasks, isRun, readLast } = undoable;
  const isOnly = tasks.length === 1 && !isRun;
  const host = await accountHost(context);
  const session = await context.session();
  const readNames = createNameReader(context, 'errors');
  const failures = new Map<string, Failure>();
  const attempt = async (task: string, action: () => Promise<unknown>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      const failure = toFailure(error);
      const { concerns } = failure.meaning;
      const isOwn = concerns === 'input' || concerns === 'record' || failure.code === 'part_failed';
      if (isOnly || !isOwn) throw error;
      failures.set(task, failure);
      const isNamed = failure.message.includes(task);
      await report.failure(isNamed ? failure : failure.with({ message: `${task}: ${failure.message}` }));
    }
  };
  /** What the user has confirmed, by task. */
  const confirmed = new Map<string, PlannedUndo>();
  const show = async ({ last, plan }: PlannedUndo): Promise<void> => {
    await showUndoPlan(context, last, plan, readNames);
    await confirmOverwriting(context, last, plan, overwrites);
  };
  const confirm = async (undos: readonly PlannedUndo[]): Promise<void> => {
    const [first] = undos;
    if (!first) return;
    const { title } = first.plan.now;
    const one = title === undefined ? first.last.task : JSON.stringify(title);
    const name = undos.length === 1 ? one : `each of ${countOf(undos.length, 'task')}`;
    await context.confirm(`Undo ${isRun ? 'what that bulk run changed in' : 'the last update of'} ${name}?`);
    for (const undo of undos) confirmed.set(undo.last.task, undo);
  };
  /** `chosen`: the last update before this wm waited for the lock. Returns an undo that the user has to confirm first. */
  const undoIfConfirmed = async (chosen: LastUpdate): Promise<PlannedUndo | undefined> => {
    const { task } = chosen;
    const last = await readLast(task);
    let before = confirmed.get(task);
    if (last.place !== chosen.place) {
      const problem = last.isUndo
        ? `Another wm has undone the last update of ${task} in the meantime`
        : `Another wm has updated ${task} in the meantime`;
      // Undoing the undo of another wm would restore the update.
      if (!before) throw usageError(problem, showTaskHint(task, context, 'Nothing was sent. '));
      await report.warn(problem);
      before = undefined;
    }
    const plan = planUndo(last, await readTask(session, task));
    const isConfirmed = before && fingerprint(before.plan) === fingerprint(plan);
    if (before && !isConfirmed) await report.warn('The task changed while you were deciding.');
    const hasRequests = plan.requests.length > 0;
    if (!hasRequests && last.unsettled.length > 0) await settleUndo(context, last, plan.now);
    else if (isConfirmed) await sendUndo(context, last, plan, isOnly);
    else {
      const isContested = plan.conflicts.length > 0 && !overwrites;
      if (hasRequests && canPrompt && (!common.yes || isContested)) return { last, plan };
      await show({ last, plan });
      const problem = nothingToUndo(last, plan, isRun);
      if (hasRequests) {
        await confirm([{ last, plan }]);
        await sendUndo(context, last, plan, isOnly);
      } else if (isOnly || plan.notRestorable.length > 0) throw problem;
      else await report.info(`${problem.message}.`);
    }
    return undefined;
  };
  const undoOne = async (chosen: LastUpdate): Promise<void> => {
    let last = chosen;
    for (;;) {
      const undo = await withTaskLock(world, host, last.task, 'undoing an update', () =>
        undoIfConfirmed(last),
      );
      if (!undo) return;
      await show(undo);
      await confirm([undo]);
      last = undo.last;
    }
  };

  // All are chosen before the first lock is waited for.
  const chosen: LastUpdate[] = [];
  const read = new Map((common.yes ? [] : await readTasks(session, tasks)).map((task) => [task.id, task]));
  const planned: PlannedUndo[] = [];
  for (const task of tasks)
    await attempt(task, async () => {
      const last = await readLast(task);
      chosen.push(last);
      const now = read.get(task);
      const plan = now && planUndo(last, now);
      // The rest is reported when it is the task's turn.
      if (!plan || plan.requests.length === 0) return;
      await show({ last, plan });
      planned.push({ last, plan });
    });
  await confirm(planned);
  const queue = chosen.filter(({ task }) => !failures.has(task));
  const left = () => [...failures.keys(), ...queue.map(({ task }) => task)];
  // A task that is gone, has no update in the log, or was changed since, would fail again.
  const others = () =>
    left().filter((task) => !['not_found', 'usage'].includes(failures.get(task)?.code ?? ''));
  const toRepeat = () => formatRepeatedCommand(context, 'task undo', isRun ? [] : others());
  if (!isOnly) context.onInterruptHint(() => `To undo the others: ${toRepeat()}`);
  let ended: Failure | undefined;
  try {
    for (const last of [...queue]) {
      await attempt(last.task, () => undoOne(last));
      queue.shift();
    }
  } catch (error) {
    if (isOnly) throw error;
    ended = toFailure(error);
  }
  const count = left().length;
  if (count === 0) return;
  throw new Failure((count === tasks.length && ended?.code) || 'part_failed', {
    message: `${count} of ${countOf(tasks.length, 'task')} ${agree(count, 'was')} not undone`,
    why: ended?.sentence,
    hint: others().length > 0 ? commandHint('To undo the others: ', toRepeat()) : undefined,
    cause: ended,
  });
}

const fingerprint = ({ requests, conflicts }: UndoPlan): string => JSON.stringify([requests, conflicts]);

/** `message`: what the undo log, or the history, does not have. */
export function notLogged(message: string): Failure {
  const hint =
    'Updates made on a terminal, and with --from up to 1,000 rows, can be undone. For others, add --undoable.';
  return new Failure('not_found', { message, hint });
}

/** `run`: the name of a bulk run in the log. */
export async function findUndoable(context: Context, tasks: readonly string[], run?: string) {
  const read = createLastUpdateReader(context.world, await accountHost(context), tasks, run);
  const readLast = async (task: string): Promise<LastUpdate> => {
    const last = await read(task);
    if (!last) throw notLogged(`The undo log has no update of ${task}`);
    if (!('damaged' in last)) return last;
    const { path, line } = last.damaged;
    throw usageError(
      `The undo log has a damaged entry for ${task}; the last update is unknown`,
      showTaskHint(task, context, 'Nothing was sent. '),
      `${path}, line ${line}, cannot be read`,
    );
  };
  return { tasks, isRun: run !== undefined, readLast };
}

/** Throws a usage failure if the user cannot be prompted, and `not_found` if the log is empty. */
export async function pickLoggedTask(context: Context): Promise<string> {
  if (!canPick(context)) throw missingTask(context, 'undo');
  const tasks = await readLoggedTasks(context.world, await accountHost(context));
  if (tasks.length === 0) throw notLogged('The undo log has no update');
  const now = context.world.clock.now();
  const entries = tasks.map(({ id, title, at, changed }) => ({
    title: title ?? id,
    details: [`updated ${formatRelativeTime(at, now)}`, changed.map(toWords).join(', ')],
    search: [id],
    value: id,
  }));
  return context.prompt('ID', (prompt) => prompt.pick('Undo the last update of which task?', entries));
}
