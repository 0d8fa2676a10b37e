// Runs a batch, which can create tasks and folders in a folder. Each operation succeeds or fails by itself.

import { randomUUID } from 'node:crypto';
import { formatTimestamp } from '../../contract/date.ts';
import type { EventName } from '../../contract/event.ts';
import { parseJson } from '../../contract/json.ts';
import { taskUpdateParameters, title } from '../../contract/task.ts';
import { parseArguments, type RawArgument } from '../http/arguments.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { toResponse } from '../http/response.ts';
import { originOf, type Service, type Session } from '../service/service.ts';
import { requireFolder } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Folder, ScheduledJob } from '../state/store.ts';
import { createTaskIn, lastPriority } from '../task/new-task.ts';
import { updateSubtaskLists } from '../task/subtask-lists.ts';
import { toTaskRecord } from '../task/task-record.ts';
import { applyUpdate } from '../task/update.ts';
import { dispatch } from '../webhooks/dispatch.ts';
import type { Occurrence } from '../webhooks/occurrence.ts';

type Batch = Extract<ScheduledJob, { type: 'batch' }>;
type Author = Pick<Session, 'user' | 'account'>;

/** Runs the operations as the user who sent the batch, and stores their results in its job. */
export function runBatch(service: Service, { id, userId, operations }: Batch): void {
  const { store, scheduleSave } = service;
  const job = requireEntry(store.jobs, id);
  const user = requireEntry(store.users, userId);
  const account = requireEntry(store.accounts, user.accountId);
  const results = operations.map((one) => runOperation(service, { user, account }, one));
  store.jobs.set(id, { ...job, status: 'Completed', results });
  scheduleSave();
}

/** The new record with its kind, or an error as the operation by itself would return it. */
function runOperation(
  service: Service,
  session: Author,
  { path, parameters }: Batch['operations'][number],
): unknown {
  try {
    const [, folderId = '', what = ''] = /^\/folders\/([^/]+)\/(tasks|folders)$/.exec(path) ?? [];
    if (what === '') throw new ErrorResponse('method_not_found', `A batch cannot do POST ${path}`);
    const folder = requireFolder(service.store, session.user, folderId, 'folder');
    const given = Object.entries(Object(parameters)).map(
      ([name, value]): RawArgument => ({ name, value, from: 'json' }),
    );
    return what === 'tasks'
      ? createTask(service, session, folder, given)
      : createFolder(service, session, folder, given);
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error;
    const { status, body } = toResponse(error);
    return { status, ...Object(parseJson(body)) };
  }
}

function dispatchCreated(
  service: Service,
  session: Author,
  event: EventName,
  subjectId: string,
  what: Pick<Occurrence, 'task' | 'folder' | 'placeIds'>,
): void {
  service.scheduleSave();
  dispatch(service, {
    id: randomUUID(),
    event,
    accountId: session.account.id,
    authorId: session.user.id,
    date: formatTimestamp(service.clock.now()),
    subjectId,
    payload: {},
    ...what,
  });
}

const titleRow = { title: { schema: title, meaning: 'Title', required: true } } as const;

function createTask(
  service: Service,
  session: Author,
  folder: Folder,
  given: readonly RawArgument[],
): unknown {
  const { store, clock } = service;
  const { account, user } = session;
  const { title: name, ...rest } = parseArguments({ ...taskUpdateParameters, ...titleRow }, given);
  const workspace = originOf(service, account.dataCentre);
  const blank = createTaskIn(store, folder, user.id, clock.now(), name, lastPriority(store));
  const task = applyUpdate(blank, rest, { store, account, user, now: clock.now(), workspace });
  store.tasks.set(task.id, task);
  updateSubtaskLists(store, blank, task);
  dispatchCreated(service, session, 'TaskCreated', task.id, { task, placeIds: task.parentIds });
  return { status: 200, kind: 'tasks', data: [toTaskRecord(store, user, workspace, task, rest)] };
}

function createFolder(
  service: Service,
  session: Author,
  parent: Folder,
  given: readonly RawArgument[],
): unknown {
  const { title: name } = parseArguments(titleRow, given);
  const { accountId, sharedIds } = parent;
  const folder: Folder = {
    id: `${accountId}I4${randomText(8)}`,
    accountId,
    title: name,
    kind: 'folder',
    parentIds: [parent.id],
    sharedIds,
    customFields: [],
  };
  service.store.folders.set(folder.id, folder);
  dispatchCreated(service, session, 'FolderCreated', folder.id, { folder, placeIds: folder.parentIds });
  return {
    status: 200,
    kind: 'folders',
    data: [{ id: folder.id, title: name, childIds: [], scope: 'WsFolder' }],
  };
}
