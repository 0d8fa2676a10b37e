// Sends an update and logs the values before and after it, so that it can be undone. Shows what changed.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { type Task, type TaskUpdate, taskOperations } from '#contract/task.ts';
import { Failure, toFailure } from '#failure.ts';
import { accountHost } from '#login/select-account.ts';
import { taskColumns, withFields } from '../display/columns.ts';
import { type Change, changedColumns } from '../display/diff.ts';
import { readNames } from '../display/names.ts';
import { needsReadBack, valuesAfter } from '../parts/task-after.ts';
import { type NamedTask, operandFor } from '../select/pick-task.ts';
import {
  type LoggedUpdate,
  type Moment,
  momentNow,
  withTaskLock,
  writeEnds,
  writeUpdates,
} from '../undo-log/write-log.ts';
import { explainFailure, retryUndoHint, retryUpdateHint } from './explain-failure.ts';
import { readTask } from './read-task.ts';

export type LoggedResponse = Awaited<ReturnType<typeof sendLogged>>;

/**
 * Sends a valid update. `readBack`: the task after it, or why it could not be read; undefined if the response shows all, unless
 * `readsBack`. `logEnd`: logs that it took effect; until then its outcome is unknown.
 */
export async function sendLogged(
  context: Context,
  { readsBack, task, ...update }: Omit<LoggedUpdate, keyof Moment> & { readonly readsBack: boolean },
) {
  const { world, report } = context;
  const { sent, undoes } = update;
  const session = await context.session();
  const host = await accountHost(context);
  const record: LoggedUpdate = { task, ...momentNow(world), ...update };
  const file = await writeUpdates(world, host, [record]);
  const response = await session
    .send(taskOperations.updateTask, { taskId: task }, sent)
    .catch(async (error: unknown) => {
      // The rejection matters more than a full disk.
      if (toFailure(error).meaning.changed === 'no')
        await writeEnds(world, [{ ...record, file, made: undefined }]).catch(() => {});
      const retryHint = undoes === undefined ? retryUpdateHint : retryUndoHint(task, context);
      throw await explainFailure(task, error, context, retryHint);
    });
  const made = momentNow(world);
  // With the same fields as `before`, so that the two can be compared.
  const readBack =
    readsBack || needsReadBack(sent) ? await readTask(session, task).catch(toFailure) : undefined;
  let left = readBack && !(readBack instanceof Failure) ? valuesAfter(sent, readBack, 'read back') : {};
  // The response is older than the task read back, so it cannot contain changes by others.
  for (const updated of response.records) left = { ...left, ...valuesAfter(sent, updated, 'response') };
  const logEnd = () =>
    writeEnds(world, [{ ...record, file, made, left }]).catch((error: unknown) =>
      report.warn(`Updated, but the undo log could not be written. ${toFailure(error).sentence}`),
    );
  return { response, readBack, logEnd };
}

export async function updateAndShow(context: Context, named: NamedTask, sent: TaskUpdate): Promise<void> {
  const { id } = named;
  const session = await context.session();
  // A concurrent undo that has read the task must not overwrite this update.
  const host = await accountHost(context);
  const { before, logged } = await withTaskLock(context.world, host, id, 'updating a task', async () => {
    const task = await readTask(session, id);
    const update = { task: id, sent, before: task, readsBack: showsChange(context) };
    const sending = await sendLogged(context, update);
    await sending.logEnd();
    return { before: task, logged: sending };
  });
  await showChange(context, before, logged, sent, named);
}

/** True on a terminal, which shows what an update changed; a script gets the task that the service returned. */
export function showsChange({ report, world }: Context): boolean {
  return !report.wantsJson && world.streams.output.isTerminal;
}

export async function showChange(
  context: Context,
  before: Task,
  { response, readBack }: LoggedResponse,
  update: TaskUpdate,
  named: NamedTask = { id: before.id },
): Promise<void> {
  const { report, world } = context;
  const { records, raw } = response;
  if (!showsChange(context) || readBack === undefined)
    return report.each({ columns: withFields(taskColumns, update.fields), records, raw });
  if (readBack instanceof Failure) {
    await report.warn(`Updated, but the changes could not be read: ${readBack.message}`);
    return report.each({ columns: taskColumns, records, raw });
  }
  const { id } = before;
  const { title = '' } = readBack;
  const change: Change = { before, after: readBack };
  const changes = changedColumns(change, await readNames(context, [before, readBack]));
  const taskColumn = { title: 'task', cell: () => (named.title === undefined ? `${id}  ${title}` : title) };
  // Looking up the title has printed it: `Task: Write the launch page`.
  const isTitleShown = named.title !== undefined && world.streams.errors.isTerminal && !report.isQuiet;
  const columns = isTitleShown ? changes : [taskColumn, ...changes];
  if (columns.length > 0) await report.one({ columns, records: [change], raw: [] });
  if (changes.length === 0) await report.info('Nothing changed.');
  else await report.info(`To undo: ${formatCommandWith(context, 'task undo', [operandFor(named, title)])}`);
}
