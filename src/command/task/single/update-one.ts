// One task: what was said is checked, sent, and the task read back.

import { prepareRequest } from '../../../client/session.ts';
import { operations } from '../../../contract/operation.ts';
import type { Task, TaskUpdate } from '../../../contract/task.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { printEachIfDryRun, send } from '../../send.ts';
import { taskColumns, withFields } from '../display/columns.ts';
import {
  buildUpdate,
  hasNames,
  idsThatMayBeNames,
  type UnresolvedUpdate,
  type UpdateFlagValues,
} from '../input/build-update.ts';
import { droppedHtmlWarning } from '../input/html-warning.ts';
import { idFromLink } from '../input/permalink.ts';
import { preflight } from '../input/preflight.ts';
import { assertDueDateAloneIsMeant } from './due-date-alone.ts';
import { explainFailure } from './explain-failure.ts';

/** `undoable`: the values before go on record, and what has changed is shown on a terminal. */
export async function updateOne(
  context: Context,
  id: string,
  flags: UpdateFlagValues,
  undoable: boolean,
): Promise<undefined> {
  const taskId = idFromLink(id);
  // The id first: nothing is looked up, and nobody need be signed in, for one that cannot be.
  prepareRequest(operations.updateTask, { taskId }, {});
  const update = await prepareUpdate(context, taskId, flags);
  const { common, report } = context;
  const shownOnly = common.dryRun === true || common.curl === true;
  if (!shownOnly && undoable) {
    const { updateAndShow } = await import('./logged-update.ts');
    await sendWithNameFallback(context, update, (one) => updateAndShow(context, taskId, one));
    return;
  }
  // As for several ids: with --json one object a line.
  if (await printEachIfDryRun(context, operations.updateTask, [{ taskId }], update)) return;
  const answer = await sendWithNameFallback(context, update, (one) =>
    explainFailure(taskId, send(context, operations.updateTask, { taskId }, one), context),
  );
  const columns = withFields(taskColumns, flags.fields);
  if (answer) await report.each({ columns, records: answer.records, raw: answer.raw });
}

/** Sends an update. If the service rejects it, ids that the account does not have are sent again as the names they are. */
export async function sendWithNameFallback<T>(
  context: Context,
  update: TaskUpdate,
  sending: (update: TaskUpdate) => Promise<T>,
): Promise<T> {
  try {
    return await sending(update);
  } catch (error) {
    if (!(error instanceof Failure) || (error.code !== 'rejected' && error.code !== 'not_found')) throw error;
    if (idsThatMayBeNames(update).length === 0) throw error;
    const [{ createNameLists }, { resolveNamesLikeIds }] = await Promise.all([
      import('../resolve/name-lists.ts'),
      import('../resolve/names-like-ids.ts'),
    ]);
    const now = context.world.clock.now();
    const renamed = await resolveNamesLikeIds(update, createNameLists(context.session), now);
    if (renamed === undefined) throw error;
    return sending(renamed);
  }
}

/** The update that the flags stand for, checked, and with ids in place of names. `known`: the task, where it was read already. */
export async function prepareUpdate(
  context: Context,
  id: string,
  flags: UpdateFlagValues,
  known?: Task,
): Promise<TaskUpdate> {
  const said = buildUpdate(flags, context.world.clock.now());
  preflight(said, flags.allowClearingDates === true, 'looked at later');
  await assertDueDateAloneIsMeant(context, id, said.update, known);
  const dropped = droppedHtmlWarning(said.update.description);
  if (dropped !== undefined) await context.report.warn(dropped);
  await printRelativeDates(context, said);
  return resolveIfNeeded(context, said);
}

/** What relative dates have become, before anything is sent. */
async function printRelativeDates({ report }: Context, { relativeDates }: UnresolvedUpdate): Promise<void> {
  for (const { flag, typed, date } of relativeDates) await report.info(`--${flag} ${typed} is ${date}`);
}

/** Look-ups are GETs: they happen for --dry-run and --curl too, where a name needs one. */
async function resolveIfNeeded(context: Context, said: UnresolvedUpdate): Promise<TaskUpdate> {
  if (!hasNames(said)) return said.update;
  const [{ createNameLists }, { resolveNames }] = await Promise.all([
    import('../resolve/name-lists.ts'),
    import('../resolve/resolve.ts'),
  ]);
  return resolveNames(said, createNameLists(context.session), context.world.clock.now());
}
