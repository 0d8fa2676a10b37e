// An update with its values before on record: what it changed is shown, and it can be undone.

import { operations } from '../../../contract/operation.ts';
import type { Task, TaskUpdate } from '../../../contract/task.ts';
import { Failure } from '../../../failure.ts';
import { knownBaseUrl } from '../../../login/account.ts';
import type { Context } from '../../context.ts';
import { taskColumns, withFields } from '../columns.ts';
import { changedNothing, outcomeKnown } from '../outcome.ts';
import { type Change, changedColumns } from './diff.ts';
import { readTask } from './read.ts';
import { keep, noteEnds } from './record.ts';

/** Which record it is: that of the host, as ids are unique there. */
export async function hostOf({ world, account }: Pick<Context, 'world' | 'account'>): Promise<string> {
  const base = await knownBaseUrl(world, account);
  return base === undefined ? 'unknown' : new URL(base).host;
}

/** Sends what has been checked. `known`: the task, where it was read a moment ago. */
export async function updateAndShow(
  context: Context,
  id: string,
  update: TaskUpdate,
  known?: Task,
): Promise<void> {
  const { report, world } = context;
  const session = await context.session();
  const before = known ?? (await readTask(session, id));
  const host = await hostOf(context);
  const record = { task: id, at: world.clock.now(), sent: update, before };
  await keep(world, host, [record]);
  const sending = session.send(operations.updateTask, { taskId: id }, update);
  const answer = await outcomeKnown(id, sending).catch(async (error: unknown) => {
    // A disk that is full meanwhile says less than what the service has said.
    if (error instanceof Failure && changedNothing(error))
      await noteEnds(world, host, [{ ...record, madeAt: undefined }]).catch(() => {});
    throw error;
  });
  if (report.wantsJson || !world.streams.output.isTerminal) {
    const columns = withFields(taskColumns, update.fields);
    return report.one({ columns, records: answer.records, raw: answer.raw });
  }
  // With the same wishes as before, so that the two can be compared.
  const after = await readTask(session, id).catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });
  if (after instanceof Failure) {
    await report.warn(`The update was made, but what it changed cannot be told: ${after.message}`);
    return report.one({ columns: taskColumns, records: answer.records, raw: answer.raw });
  }
  const change: Change = { before, after };
  const columns = [
    { title: 'task', cell: () => `${id}  ${change.after.title ?? ''}` },
    ...changedColumns(change),
  ];
  await report.one({ columns, records: [change], raw: [] });
  if (columns.length === 1) await report.say('Nothing is different from before.');
  else await report.say(`To put it back: wm task undo ${id}`);
}
