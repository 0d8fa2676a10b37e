// An update with its values in the undo log, those before it and those it left: what it changed is shown, and can be
// undone.

import type { ApiResponse } from '../../../client/response.ts';
import { operations } from '../../../contract/operation.ts';
import type { Task, TaskUpdate } from '../../../contract/task.ts';
import { Failure, toFailure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import { taskColumns, withFields } from '../display/columns.ts';
import { type Change, changedColumns } from '../display/diff.ts';
import { readNames } from '../display/names.ts';
import { needsReadBack, valuesAfter } from '../parts/task-after.ts';
import { logHost } from '../undo-log/log-files.ts';
import { type Moment, momentNow } from '../undo-log/moment.ts';
import { withTaskLock } from '../undo-log/task-lock.ts';
import { type LoggedUpdate, writeEnds, writeUpdates } from '../undo-log/write-log.ts';
import { explainFailure, retryUndoHint, retryUpdateHint } from './explain-failure.ts';
import { readTask } from './read-task.ts';

/** A response, and the task as it was read after it: with everything that the response does not show. */
export interface LoggedResponse {
  readonly answer: ApiResponse<Task>;
  /** A failure where it could not be read; nothing where nobody has asked for it. */
  readonly readBack: Task | Failure | undefined;
}

/** Sends what has been checked. `readsBack`: even where the response shows all that the update changed. */
export async function sendLogged(
  context: Context,
  { task, sent, before, bulk, undoes }: Omit<LoggedUpdate, keyof Moment>,
  readsBack: boolean,
): Promise<LoggedResponse> {
  const { world, report } = context;
  const session = await context.session();
  const host = await logHost(context);
  const record: LoggedUpdate = {
    task,
    ...momentNow(world),
    sent,
    before,
    ...(bulk ? { bulk } : {}),
    ...(undoes === undefined ? {} : { undoes }),
  };
  const file = await writeUpdates(world, host, [record]);
  const sending = session.send(operations.updateTask, { taskId: task }, sent);
  const again = undoes === undefined ? retryUpdateHint : retryUndoHint(task, context);
  const answer = await explainFailure(task, sending, context, again).catch(async (error: unknown) => {
    // A disk that is full meanwhile says less than what the service has said.
    if (error instanceof Failure && error.meaning.changed === 'no')
      await writeEnds(world, [{ ...record, file, made: undefined }]).catch(() => {});
    throw error;
  });
  const made = momentNow(world);
  // With the same fields as before, so that the two can be compared.
  const readBack =
    readsBack || needsReadBack(sent) ? await readTask(session, task).catch(failureOf) : undefined;
  const [shown] = answer.records;
  const left = {
    ...(readBack && !(readBack instanceof Failure) ? valuesAfter(sent, readBack, 'read back') : {}),
    // The response is older than what was read after it, so that nobody else's change is in it.
    ...(shown ? valuesAfter(sent, shown, 'response') : {}),
  };
  await writeEnds(world, [{ ...record, file, made, left }]).catch((error: unknown) =>
    report.warn(`Updated, but the undo log could not be written. ${toFailure(error).sentence}`),
  );
  return { answer, readBack };
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** Updates a task, and shows what that has changed. */
export async function updateAndShow(context: Context, id: string, update: TaskUpdate): Promise<void> {
  const session = await context.session();
  // An undo that has read the task must not overwrite what this update changes meanwhile.
  const [before, recorded] = await withTaskLock(
    context.world,
    await logHost(context),
    id,
    'updating a task',
    async () => {
      const task = await readTask(session, id);
      return [
        task,
        await sendLogged(context, { task: id, sent: update, before: task }, showsChange(context)),
      ] as const;
    },
  );
  await showChange(context, before, recorded, update);
}

/** On a terminal, what an update has changed; for a script, the record as the service has answered it. */
export function showsChange({ report, world }: Context): boolean {
  return !report.wantsJson && world.streams.output.isTerminal;
}

export async function showChange(
  context: Context,
  before: Task,
  { answer, readBack }: LoggedResponse,
  update: TaskUpdate,
): Promise<void> {
  const { report } = context;
  const { records, raw } = answer;
  if (!showsChange(context) || readBack === undefined)
    return report.each({ columns: withFields(taskColumns, update.fields), records, raw });
  if (readBack instanceof Failure) {
    await report.warn(`Updated, but the changes could not be read: ${readBack.message}`);
    return report.each({ columns: taskColumns, records, raw });
  }
  const { id } = before;
  const change: Change = { before, after: readBack };
  const columns = [
    { title: 'task', cell: () => `${id}  ${change.after.title ?? ''}` },
    ...changedColumns(change, await readNames(context, [before, readBack])),
  ];
  await report.one({ columns, records: [change], raw: [] });
  if (columns.length === 1) await report.info('Nothing changed.');
  else await report.info(`To undo: ${formatCommandWith(context, 'task undo', [id])}`);
}
