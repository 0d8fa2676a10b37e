// Updates one task: validates the update, sends it, and prints the task.

import type { Context } from '#cli/context.ts';
import { isIdShaped } from '#cli/resolve/id-shape.ts';
import { send } from '#cli/send.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { type TaskUpdate, taskOperations } from '#contract/task.ts';
import { movedStart } from '#contract/task-rules.ts';
import { Failure } from '#failure.ts';
import { mayBeHtml } from '#html-reader/html-text.ts';
import { taskColumns, withFields } from '../display/columns.ts';
import { type BuiltUpdate, buildUpdate, type UpdateFlagValues } from '../input/build-update.ts';
import { idsThatMayBeNames, isResolved } from '../input/unresolved-update.ts';
import { validateUpdate } from '../input/validate-update.ts';
import type { KnownTask } from './due-date-alone.ts';

/** `text`: the id, permalink or title. `undoable`: log the previous values, and show what changed on a terminal. */
export async function updateOne(
  context: Context,
  text: string,
  flags: UpdateFlagValues,
  undoable: boolean,
): Promise<undefined> {
  // An id of the usual form needs no look-up.
  const task =
    isIdShaped(text) && isIdentifier('TaskId', text)
      ? { id: text }
      : await (await import('../select/named-task.ts')).nameTask(context, text);
  const { id: taskId } = task;
  const update = await prepareUpdate(context, taskId, flags);
  if (undoable && !context.isDryRun) {
    const { updateAndShow } = await import('./logged-update.ts');
    await sendWithNameFallback(context, update, (sent) => updateAndShow(context, task, sent));
    return;
  }
  const response = await sendWithNameFallback(context, update, (sent) =>
    send(context, taskOperations.updateTask, { taskId }, sent).catch(async (error: unknown) => {
      const { explainFailure } = await import('./explain-failure.ts');
      throw await explainFailure(taskId, error, context);
    }),
  );
  // As for several ids: with --json one object per line.
  if (response) await context.report.each({ columns: withFields(taskColumns, flags.fields), ...response });
}

/** Sends an update. If the service rejects it, resolves ids that the account does not have as names, and sends it again. */
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
      import('../names/name-lists.ts'),
      import('../names/resolve-names.ts'),
    ]);
    const now = context.world.clock.now();
    const renamed = await resolveNamesLikeIds(update, createNameLists(context.session, context), now);
    if (renamed === undefined) throw error;
    return sending(renamed);
  }
}

/** The validated update, with ids for names. */
export async function prepareUpdate(
  context: Context,
  id: string,
  flags: UpdateFlagValues,
  known: KnownTask = {},
): Promise<TaskUpdate> {
  const built = buildUpdate(flags, context.world.clock.now());
  const dueDateAlone = validateUpdate(built);
  if (!dueDateAlone) return announceAndResolve(context, built);
  const { datesWithDueAlone, withStartOf } = await import('./due-date-alone.ts');
  const dates = built.keepsStart
    ? await withStartOf(context, id, dueDateAlone, known.knownTask)
    : await datesWithDueAlone(context, id, dueDateAlone, known);
  return announceAndResolve(context, { ...built, update: { ...built.update, dates } });
}

/** Prints warnings and what relative dates stand for, and looks names up. It only reads: --dry-run does it too. */
export async function announceAndResolve(context: Context, { update, relativeDates }: BuiltUpdate) {
  const { report } = context;
  if (update.description !== undefined && mayBeHtml(update.description)) {
    const { htmlWarnings } = await import('../input/stripped-html.ts');
    for (const warning of htmlWarnings(update.description)) await report.warn(warning);
  }
  const moved = movedStart(update.dates ?? {});
  if (moved !== undefined)
    await report.warn(
      `The start ${update.dates?.start} is a ${moved.weekday}: unless the task works on weekends (--work-on-weekends), the service moves it to Monday, ${moved.monday}.`,
    );
  for (const { flag, typed, date } of relativeDates) await report.info(`--${flag} ${typed} is ${date}`);
  if (isResolved(update)) return update;
  const [{ createNameLists }, { resolveNames }] = await Promise.all([
    import('../names/name-lists.ts'),
    import('../names/resolve-names.ts'),
  ]);
  return resolveNames(update, createNameLists(context.session, context), context.world.clock.now());
}
