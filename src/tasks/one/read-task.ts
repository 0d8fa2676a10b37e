// Reads tasks with everything that an update can change, before it and after it.

import { onlyRecord } from '#client/expected-records.ts';
import type { Session } from '#client/session.ts';
import { limit } from '#contract/limit.ts';
import { fieldOnRequest, type Task, taskOperations } from '#contract/task.ts';
import { Failure } from '#failure.ts';

/** All fields that have to be requested, and invitations among the users. */
const readOptions = { fields: fieldOnRequest.choices, withInvitations: true } as const;
/** Of the ids in one URL: a proxy may reject a longer URL. */
const maxCharacters = 6000;

export async function readTask(session: Session, id: string): Promise<Task> {
  return onlyRecord(await session.send(taskOperations.getTasks, { taskIds: id }, readOptions));
}

/** The tasks that can be read, a hundred in a request. `ids`: at least one. One unreadable task fails a request, so then each half is requested again. */
export async function readTasks(session: Session, ids: readonly string[]): Promise<readonly Task[]> {
  if (ids.length > 1 && (ids.length > limit.tasksPerGet || ids.join(',').length > maxCharacters))
    return inHalves(session, ids);
  try {
    return (await session.send(taskOperations.getTasks, { taskIds: ids }, readOptions)).records;
  } catch (error) {
    if (!(error instanceof Failure) || error.meaning.concerns !== 'record') throw error;
    return ids.length === 1 ? [] : inHalves(session, ids);
  }
}

async function inHalves(session: Session, ids: readonly string[]): Promise<readonly Task[]> {
  const middle = Math.min(limit.tasksPerGet, Math.ceil(ids.length / 2));
  return [
    ...(await readTasks(session, ids.slice(0, middle))),
    ...(await readTasks(session, ids.slice(middle))),
  ];
}
