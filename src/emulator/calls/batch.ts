// What a batch can do: create tasks and folders in a folder. Each operation succeeds or fails for itself.

import { randomUUID } from 'node:crypto';
import { timestamp } from '../../contract/date.ts';
import type { EventName } from '../../contract/event.ts';
import { parseJson } from '../../contract/json.ts';
import { taskUpdateParameters, title } from '../../contract/task.ts';
import { folderFor } from '../access.ts';
import { failure } from '../answer.ts';
import { argumentsFrom, type Given } from '../arguments.ts';
import type { Happening } from '../hooks/happening.ts';
import { tell } from '../hooks/tell.ts';
import { randomText } from '../random.ts';
import { Refusal } from '../refusal.ts';
import { originOf, type Service, type Session } from '../service.ts';
import type { Folder, Later } from '../store.ts';
import { hang } from '../task/hang.ts';
import { lastPriority, newTask } from '../task/new-task.ts';
import { shownTask } from '../task/shown.ts';
import { updated } from '../task/update.ts';

type Batch = Extract<Later, { does: 'a batch' }>;
type Whose = Pick<Session, 'user' | 'account'>;

/** Does what the batch asks, in the name of who asked; its job has the results. */
export function runBatch(service: Service, { id, userId, operations }: Batch): void {
  const { store, changed } = service;
  const job = store.jobs.get(id);
  const user = store.users.get(userId);
  const account = store.accounts.get(user?.accountId ?? '');
  if (job === undefined || user === undefined || account === undefined) return;
  const results = operations.map((one) => runOperation(service, { user, account }, one));
  store.jobs.set(id, { ...job, status: 'Completed', results });
  changed();
}

/** The new record's kind and itself, or an error as a call by itself would have answered it. */
function runOperation(
  service: Service,
  session: Whose,
  { path, parameters }: Batch['operations'][number],
): unknown {
  try {
    const [, folderId = '', what = ''] = /^\/folders\/([^/]+)\/(tasks|folders)$/.exec(path) ?? [];
    if (what === '') throw new Refusal('method_not_found', `A batch cannot do POST ${path}`);
    const folder = folderFor(service.store, session.user, folderId, 'folder');
    const given = Object.entries(Object(parameters)).map(
      ([name, value]): Given => ({ name, value, from: 'json' }),
    );
    return what === 'tasks'
      ? createTask(service, session, folder, given)
      : createFolder(service, session, folder, given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, body } = failure(error);
    return { status, ...Object(parseJson(body)) };
  }
}

function created(
  service: Service,
  session: Whose,
  event: EventName,
  subjectId: string,
  what: Pick<Happening, 'task' | 'folder' | 'placeIds'>,
): void {
  service.changed();
  tell(service, {
    id: randomUUID(),
    event,
    accountId: session.account.id,
    authorId: session.user.id,
    date: timestamp(service.clock.now()),
    subjectId,
    payload: {},
    ...what,
  });
}

const titleRow = { title: { value: title, meaning: 'Title', required: true } } as const;

function createTask(service: Service, session: Whose, folder: Folder, given: readonly Given[]): unknown {
  const { store, clock } = service;
  const { account, user } = session;
  const { title: name = '', ...rest } = argumentsFrom({ ...taskUpdateParameters, ...titleRow }, given);
  const workspace = originOf(service, account.dataCentre);
  const blank = newTask(store, folder, user.id, clock.now(), name, lastPriority(store));
  const task = updated(blank, rest, { store, account, user, now: clock.now(), workspace });
  store.tasks.set(task.id, task);
  hang(store, blank, task);
  created(service, session, 'TaskCreated', task.id, { task, placeIds: task.parentIds });
  return { status: 200, kind: 'tasks', data: [shownTask(store, user, workspace, task, rest)] };
}

function createFolder(service: Service, session: Whose, parent: Folder, given: readonly Given[]): unknown {
  const { title: name = '' } = argumentsFrom(titleRow, given);
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
  created(service, session, 'FolderCreated', folder.id, { folder, placeIds: folder.parentIds });
  return {
    status: 200,
    kind: 'folders',
    data: [{ id: folder.id, title: name, childIds: [], scope: 'WsFolder' }],
  };
}
