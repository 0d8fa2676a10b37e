// Undoes the last update of a task under the task's lock, so that neither the log nor the task changes before the undo is logged.
// The lock is released during a prompt; both are read again after it. Without a task, lets the user pick one from the log.

import type { Context } from '#cli/context.ts';
import { toWords } from '#cli/flags/flag.ts';
import { formatTimestamp } from '#contract/date.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { Failure, usageError } from '#failure.ts';
import { accountHost } from '#login/select-account.ts';
import { formatRelativeTime } from '#terminal/relative-time.ts';
import type { createNameReader } from '../display/names.ts';
import { showTaskHint } from '../one/explain-failure.ts';
import { readTask } from '../one/read-task.ts';
import { canPick, missingTask } from '../select/task-text.ts';
import { type LastUpdate, readLastUpdate, readLoggedTasks } from '../undo-log/last-update.ts';
import { withTaskLock } from '../undo-log/write-log.ts';
import { type Conflict, planUndo, showUndoPlan, type UndoPlan } from './plan-undo.ts';
import { sendUndo, settleUndo } from './send-undo.ts';

/** For a task among several. */
export interface Several {
  /** The bulk run that is undone, if it is not the last updates. */
  readonly run: string | undefined;
  /** By task, what the user has confirmed for all of them. */
  readonly confirmed: Map<string, { readonly last: LastUpdate; readonly plan: UndoPlan }>;
  readonly readNames: ReturnType<typeof createNameReader>;
}

/**
 * `chosen`: the last update before this wm waited for the lock. Throws a usage failure if another wm has made an update
 * since, and the user cannot be prompted: undoing the undo of another wm would restore the update.
 */
export async function undoLastUpdate(
  context: Context,
  chosen: LastUpdate,
  overwrites: boolean,
  several?: Several,
): Promise<void> {
  const { task } = chosen;
  const host = await accountHost(context);
  const session = await context.session();
  let expected = chosen;
  /** The plan that the user has confirmed. */
  const confirmed = several?.confirmed.get(task);
  let confirmedPlan = confirmed && fingerprint(confirmed.plan);
  /** Returns an undo that the user has to confirm first. */
  const undoIfConfirmed = async () => {
    const last = await requireLastUpdate(context, task, several?.run);
    if (last.place !== expected.place) {
      const problem = last.isUndo
        ? `Another wm has undone the last update of ${task} in the meantime`
        : `Another wm has updated ${task} in the meantime`;
      if (confirmedPlan === undefined)
        throw usageError(problem, showTaskHint(task, context, 'Nothing was sent. '));
      await context.report.warn(problem);
      expected = last;
      confirmedPlan = undefined;
    }
    const plan = planUndo(last, await readTask(session, task));
    if (confirmedPlan !== undefined && confirmedPlan !== fingerprint(plan))
      await context.report.warn('The task changed while you were deciding.');
    if (last.unsettled.length > 0 && plan.requests.length === 0) {
      await settleUndo(context, last, plan.now);
      return undefined;
    }
    if (confirmedPlan !== fingerprint(plan)) {
      if (plan.requests.length > 0 && prompts(context, plan, overwrites)) return { last, plan };
      await showUndoPlan(context, last, plan, several?.readNames);
      if (several && plan.requests.length + plan.notRestorable.length === 0)
        return void context.report.info(`${nothingToUndo(last, plan).message}.`);
      if (plan.requests.length === 0) throw nothingToUndo(last, plan);
      await confirm(context, last, plan, overwrites);
    }
    await sendUndo(context, last, plan, several === undefined);
    return undefined;
  };
  for (;;) {
    const unconfirmed = await withTaskLock(context.world, host, task, 'undoing an update', undoIfConfirmed);
    if (!unconfirmed) return;
    const { last, plan } = unconfirmed;
    await showUndoPlan(context, last, plan, several?.readNames);
    await confirm(context, last, plan, overwrites);
    confirmedPlan = fingerprint(plan);
  }
}

function fingerprint({ requests, conflicts }: UndoPlan): string {
  return JSON.stringify([requests, conflicts]);
}

/** True if {@link confirm} prompts. */
function prompts({ canPrompt, common }: Context, { conflicts }: UndoPlan, overwrites: boolean): boolean {
  return canPrompt && (!common.yes || (conflicts.length > 0 && !overwrites));
}

export function nothingToUndo({ task, at }: LastUpdate, { notRestorable }: UndoPlan): Failure {
  const made = `was made ${formatTimestamp(at)}.`;
  return notRestorable.length > 0
    ? usageError(`No part of the last update of ${task} can be undone`, undefined, `It ${made}`)
    : usageError(`Nothing to undo: ${task} is as it was before its last update`, undefined, `That ${made}`);
}

/** --yes confirms the undo; --overwrite confirms overwriting changes by others. */
async function confirm(
  context: Context,
  { task }: LastUpdate,
  { conflicts, now: { title } }: UndoPlan,
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
  await context.confirm(`Undo the last update of ${title === undefined ? task : JSON.stringify(title)}?`);
}

/** Distinguishes changes by others from changes of unknown origin. */
function describeConflicts(task: string, conflicts: readonly Conflict[]): string {
  const names = (isCertain: boolean) =>
    joinWithAnd(conflicts.filter(({ ours }) => (ours !== undefined) === isCertain).map(({ name }) => name));
  const [byOthers, unknown] = [names(true), names(false)];
  return [
    ...(byOthers === '' ? [] : [`${byOthers} of ${task} changed since your update`]),
    ...(unknown === '' ? [] : [`${unknown} of ${task} may not be from your update`]),
  ].join(', and ');
}

export const emptyLogHint =
  'Updates made on a terminal, and with --from up to 1,000 rows, can be undone. For others, add --undoable.';

/** Throws a {@link Failure} if the log has no update of the task, or is damaged where the last one may be. */
export async function requireLastUpdate(context: Context, task: string, run?: string): Promise<LastUpdate> {
  const last = await readLastUpdate(context.world, await accountHost(context), task, run);
  if (!last)
    throw new Failure('not_found', { message: `The undo log has no update of ${task}`, hint: emptyLogHint });
  if (!('damaged' in last)) return last;
  const { path, line } = last.damaged;
  throw usageError(
    `The undo log has a damaged entry for ${task}; the last update is unknown`,
    showTaskHint(task, context, 'Nothing was sent. '),
    `${path}, line ${line}, cannot be read`,
  );
}

/** Throws a usage failure if the user cannot be prompted, and `not_found` if the log is empty. */
export async function pickLoggedTask(context: Context): Promise<string> {
  if (!canPick(context)) throw missingTask(context, 'undo');
  const tasks = await readLoggedTasks(context.world, await accountHost(context));
  if (tasks.length === 0)
    throw new Failure('not_found', { message: 'The undo log has no update', hint: emptyLogHint });
  const now = context.world.clock.now();
  const entries = tasks.map(({ id, title, at, changed }) => ({
    title: title ?? id,
    details: [`updated ${formatRelativeTime(at, now)}`, changed.map(toWords).join(', ')],
    search: [id],
    value: id,
  }));
  return context.prompt('ID', (prompt) => prompt.pick('Undo the last update of which task?', entries));
}
