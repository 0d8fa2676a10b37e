// One task: what was said is checked, sent, and the task read back.

import { prepare } from '../../client/session.ts';
import { operations } from '../../contract/operation.ts';
import type { Task, TaskUpdate } from '../../contract/task.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../context.ts';
import { send, showEachInstead } from '../send.ts';
import { taskColumns, withFields } from './columns.ts';
import { droppedWarning } from './dropped-html.ts';
import { refuseDueAlone } from './due-alone.ts';
import { outcomeKnown } from './outcome.ts';
import { preflight } from './preflight.ts';
import { idOfLink } from './short/permalink.ts';
import { idsIn, needsLookUp, type Said, type SaidFlags, toUpdate } from './to-update.ts';

/** `undoable`: the values before go on record, and what has changed is shown on a terminal. */
export async function updateOne(
  context: Context,
  id: string,
  flags: SaidFlags,
  undoable: boolean,
): Promise<undefined> {
  const taskId = idOfLink(id);
  // The id first: nothing is looked up, and nobody need be signed in, for one that cannot be.
  prepare(operations.updateTask, { taskId }, {});
  const update = await checkedUpdate(context, taskId, flags);
  const { common, report } = context;
  const shownOnly = common.dryRun === true || common.curl === true;
  if (!shownOnly && undoable) {
    const { updateAndShow } = await import('./history/recorded.ts');
    await idsOrNames(context, update, (one) => updateAndShow(context, taskId, one));
    return;
  }
  // As for several ids: with --json one object a line.
  if (await showEachInstead(context, operations.updateTask, [{ taskId }], update)) return;
  const answer = await idsOrNames(context, update, (one) =>
    outcomeKnown(taskId, send(context, operations.updateTask, { taskId }, one), context),
  );
  const columns = withFields(taskColumns, flags.fields);
  if (answer) await report.each({ columns, records: answer.records, raw: answer.raw });
}

/** Sends an update. If the service rejects it, ids that the account does not have are sent again as the names they are. */
export async function idsOrNames<T>(
  context: Context,
  update: TaskUpdate,
  sending: (update: TaskUpdate) => Promise<T>,
): Promise<T> {
  try {
    return await sending(update);
  } catch (error) {
    if (!(error instanceof Failure) || (error.code !== 'refused' && error.code !== 'not_found')) throw error;
    if (idsIn(update).length === 0) throw error;
    const [{ createDirectory }, { namesForIds }] = await Promise.all([
      import('./look-up/directory.ts'),
      import('./look-up/ids-as-names.ts'),
    ]);
    const now = context.world.clock.now();
    const renamed = await namesForIds(update, createDirectory(context.session), now);
    if (renamed === undefined) throw error;
    return sending(renamed);
  }
}

/** The update that the flags stand for, checked, and with ids in place of names. `known`: the task, where it was read already. */
export async function checkedUpdate(
  context: Context,
  id: string,
  flags: SaidFlags,
  known?: Task,
): Promise<TaskUpdate> {
  const said = toUpdate(flags, context.world.clock.now());
  preflight(said, flags.allowClearingDates === true, 'looked at later');
  await refuseDueAlone(context, id, said.update, known);
  const dropped = droppedWarning(said.update.description);
  if (dropped !== undefined) await context.report.warn(dropped);
  await showDates(context, said);
  return withIds(context, said);
}

/** What relative dates have become, before anything is sent. */
async function showDates({ report }: Context, { dates }: Said): Promise<void> {
  for (const { flag, said, date } of dates) await report.info(`--${flag} ${said} is ${date}`);
}

/** Look-ups are GETs: they happen for --dry-run and --curl too, where a name needs one. */
async function withIds(context: Context, said: Said): Promise<TaskUpdate> {
  if (!needsLookUp(said)) return said.update;
  const [{ createDirectory }, { resolve }] = await Promise.all([
    import('./look-up/directory.ts'),
    import('./look-up/resolve.ts'),
  ]);
  return resolve(said, createDirectory(context.session), context.world.clock.now());
}
