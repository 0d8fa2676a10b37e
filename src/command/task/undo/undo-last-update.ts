// Undoes an update, one wm at a time for each task: what the log and the task say stays true until the requests are sent and
// logged. Nobody is asked in that time; after an answer both are read again.

import { formatTimestamp } from '../../../contract/date.ts';
import type { Task } from '../../../contract/task.ts';
import { type Failure, usageError } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import { joinWithAnd } from '../../missing-values.ts';
import { readTask } from '../single/read-task.ts';
import type { LastUpdate } from '../undo-log/last-update.ts';
import { logHost } from '../undo-log/log-files.ts';
import { withTaskLock } from '../undo-log/task-lock.ts';
import { type Conflict, planUndo, type UndoPlan } from './plan-undo.ts';
import { requireLastUpdate } from './require-last-update.ts';
import { sendUndo, settleUndo } from './send-undo.ts';
import { showUndoPlan } from './undo-preview.ts';

/** What a person has to be asked about. */
interface Unconfirmed {
  readonly last: LastUpdate;
  readonly now: Task;
  readonly planned: UndoPlan;
}

/**
 * `chosen`: the last update as the log had it before this wm waited for another. Throws a usage failure if it is no longer
 * the last and there is no prompt: undoing another wm's undo would restore the update.
 */
export async function undoLastUpdate(
  context: Context,
  chosen: LastUpdate,
  overwrites: boolean,
): Promise<void> {
  const { task } = chosen;
  const host = await logHost(context);
  const session = await context.session();
  let expected = chosen;
  /** What a person has agreed to. */
  let agreed: string | undefined;
  const tryOnce = async (): Promise<Unconfirmed | undefined> => {
    const last = await requireLastUpdate(context, task);
    if (last.place !== expected.place) {
      const what = describeLaterUpdate(task, last);
      if (agreed === undefined)
        throw usageError(
          what,
          `Nothing was sent. Show the task as it is now: ${formatCommandWith(context, 'task get', [task])}`,
        );
      await context.report.warn(what);
      expected = last;
      agreed = undefined;
    }
    const now = await readTask(session, task);
    const planned = planUndo(last, now);
    if (agreed !== undefined && agreed !== fingerprint(planned))
      await context.report.warn('The task changed while you were deciding.');
    if (last.unsettled.length > 0 && planned.requests.length === 0) {
      await settleUndo(context, last, now);
      return undefined;
    }
    if (agreed !== fingerprint(planned)) {
      if (planned.requests.length > 0 && isAsked(context, planned, overwrites)) return { last, now, planned };
      await showUndoPlan(context, last, planned, now);
      if (planned.requests.length === 0) throw nothingToUndo(last, planned);
      await confirm(context, last, planned, overwrites);
    }
    await sendUndo(context, last, now, planned);
    return undefined;
  };
  for (;;) {
    const open = await withTaskLock(context.world, host, task, 'undoing an update', tryOnce);
    if (!open) return;
    await showUndoPlan(context, open.last, open.planned, open.now);
    await confirm(context, open.last, open.planned, overwrites);
    agreed = fingerprint(open.planned);
  }
}

function describeLaterUpdate(task: string, last: LastUpdate): string {
  return last.isUndo
    ? `Another wm has undone the last update of ${task} in the meantime`
    : `Another wm has updated ${task} in the meantime`;
}

function fingerprint({ requests, conflicts }: UndoPlan): string {
  return JSON.stringify([requests, conflicts]);
}

/** True where {@link confirm} prompts. */
function isAsked({ canPrompt, common }: Context, { conflicts }: UndoPlan, overwrites: boolean): boolean {
  return canPrompt && (!common.yes || (conflicts.length > 0 && !overwrites));
}

export function nothingToUndo({ task, at }: LastUpdate, { cannot }: UndoPlan): Failure {
  return cannot.length > 0
    ? usageError(
        `No part of the last update of ${task} can be undone`,
        undefined,
        `It was made ${formatTimestamp(at)}.`,
      )
    : usageError(
        `Nothing to undo: ${task} is as it was before its last update`,
        undefined,
        `That was made ${formatTimestamp(at)}.`,
      );
}

/** --yes says yes to the undoing, and --overwrite to the loss of another's change. */
async function confirm(
  context: Context,
  { task }: LastUpdate,
  { conflicts }: UndoPlan,
  overwrites: boolean,
): Promise<void> {
  const names = joinWithAnd(conflicts.map(({ name }) => name));
  const isCertain = conflicts.every(({ ours }) => ours !== undefined);
  const isContested = conflicts.length > 0 && !overwrites;
  if (isContested) {
    if (!context.canPrompt)
      throw usageError(
        `Not undone: ${describeConflicts(task, conflicts)}`,
        'Nothing was sent. To overwrite that, add --overwrite.',
        conflicts
          .map(({ name, ours, now }) => `${name}: ${ours ?? 'unknown'} after your update, ${now} now`)
          .join('; '),
      );
    const yes = await context.prompt('--overwrite', (prompt) =>
      prompt.confirm(
        `Overwrite what ${isCertain ? 'somebody else has changed' : "may be somebody else's"} (${names})?`,
      ),
    );
    if (!yes) throw usageError('Not confirmed, so nothing was undone');
  }
  await context.confirm(`Undo the last update of ${task}?`);
}

/** What is not known to be ours is not said to be another's. */
function describeConflicts(task: string, conflicts: readonly Conflict[]): string {
  const namesOf = (isKnown: boolean) =>
    joinWithAnd(conflicts.filter(({ ours }) => (ours !== undefined) === isKnown).map(({ name }) => name));
  const [theirs, unknown] = [namesOf(true), namesOf(false)];
  return [
    ...(theirs === '' ? [] : [`somebody else has changed ${theirs} of ${task} since`]),
    ...(unknown === '' ? [] : [`${unknown} of ${task} may not be from your update`]),
  ].join(', and ');
}
