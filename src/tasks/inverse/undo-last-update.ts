// Undoes the last update of a task under the task's lock, so that neither the log nor the task changes before the undo is logged.
// The lock is released during a prompt; both are read again after it.

import { accountHost } from '#cli/account-host.ts';
import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { formatTimestamp } from '#contract/date.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import type { Task } from '#contract/task.ts';
import { commandHint, type Failure, usageError } from '#failure.ts';
import { readTask } from '../one/read-task.ts';
import type { LastUpdate } from '../undo-log/last-update.ts';
import { withTaskLock } from '../undo-log/write-log.ts';
import { type Conflict, planUndo, showUndoPlan, type UndoPlan } from './plan-undo.ts';
import { requireLastUpdate } from './require-last-update.ts';
import { sendUndo, settleUndo } from './send-undo.ts';

/** An undo that the user has to confirm first. */
interface Unconfirmed {
  readonly last: LastUpdate;
  readonly now: Task;
  readonly planned: UndoPlan;
}

/**
 * `chosen`: the last update before this wm waited for the lock. Throws a usage failure if another update is the last by
 * then and it cannot prompt: undoing the undo of another wm would restore the update.
 */
export async function undoLastUpdate(
  context: Context,
  chosen: LastUpdate,
  overwrites: boolean,
): Promise<void> {
  const { task } = chosen;
  const host = await accountHost(context);
  const session = await context.session();
  let expected = chosen;
  /** The plan that the user has confirmed. */
  let agreed: string | undefined;
  const tryOnce = async (): Promise<Unconfirmed | undefined> => {
    const last = await requireLastUpdate(context, task);
    if (last.place !== expected.place) {
      const what = describeLaterUpdate(task, last);
      if (agreed === undefined)
        throw usageError(
          what,
          commandHint(
            'Nothing was sent. Show the task as it is now: ',
            formatCommandWith(context, 'task get', [task]),
          ),
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

/** True if {@link confirm} prompts. */
function isAsked({ canPrompt, common }: Context, { conflicts }: UndoPlan, overwrites: boolean): boolean {
  return canPrompt && (!common.yes || (conflicts.length > 0 && !overwrites));
}

export function nothingToUndo({ task, at }: LastUpdate, { notRestorable }: UndoPlan): Failure {
  return notRestorable.length > 0
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

/** --yes confirms the undo; --overwrite confirms overwriting changes by others. */
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
        `Overwrite what ${isCertain ? 'has' : 'may have'} changed since your update (${names})?`,
      ),
    );
    if (!yes) throw usageError('Not confirmed, so nothing was undone');
  }
  await context.confirm(`Undo the last update of ${task}?`);
}

/** Separates changes made by others from changes of unknown origin. */
function describeConflicts(task: string, conflicts: readonly Conflict[]): string {
  const namesOf = (isKnown: boolean) =>
    joinWithAnd(conflicts.filter(({ ours }) => (ours !== undefined) === isKnown).map(({ name }) => name));
  const [byOthers, unknown] = [namesOf(true), namesOf(false)];
  return [
    ...(byOthers === '' ? [] : [`${byOthers} of ${task} changed since your update`]),
    ...(unknown === '' ? [] : [`${unknown} of ${task} may not be from your update`]),
  ].join(', and ');
}
