// One task: what was said is checked, sent, and the task read back.

import { prepare } from '../../client/session.ts';
import { operations } from '../../contract/operation.ts';
import type { TaskUpdate } from '../../contract/task.ts';
import type { Context } from '../context.ts';
import { send } from '../send.ts';
import { taskColumns, withFields } from './columns.ts';
import { outcomeKnown } from './outcome.ts';
import { preflight } from './preflight.ts';
import { idOfLink } from './short/permalink.ts';
import { needsLookUp, type Said, type SaidFlags, toUpdate } from './to-update.ts';

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
  const update = await checkedUpdate(context, flags);
  const { common, report } = context;
  const shownOnly = common.dryRun === true || common.curl === true;
  if (!shownOnly && undoable) {
    const { updateAndShow } = await import('./history/recorded.ts');
    await updateAndShow(context, taskId, update);
    return;
  }
  const answer = await outcomeKnown(
    taskId,
    send(context, operations.updateTask, { taskId }, update),
    context,
  );
  const columns = withFields(taskColumns, flags.fields);
  if (answer) await report.each({ columns, records: answer.records, raw: answer.raw });
}

/** What was said, checked as far as that is possible here, and with ids in the place of names. */
export async function checkedUpdate(context: Context, flags: SaidFlags): Promise<TaskUpdate> {
  const said = toUpdate(flags, context.world.clock.now());
  preflight(said, flags.allowClearingDates === true);
  await showDates(context, said);
  return withIds(context, said);
}

/** What relative dates have become, before anything is sent. */
async function showDates({ report }: Context, { dates }: Said): Promise<void> {
  for (const { flag, said, date } of dates) await report.say(`--${flag} ${said} is ${date}`);
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
