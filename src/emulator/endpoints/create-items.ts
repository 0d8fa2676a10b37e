// Creates tasks and folders in a folder, one by a request or several by a batch. The contract names the operations; their
// parameters are assumed (contract/task-create.ts).

import { randomUUID } from 'node:crypto';
import { formatTimestamp } from '../../contract/date.ts';
import type { EventName } from '../../contract/event.ts';
import type { TaskUpdate } from '../../contract/task.ts';
import {
  type folderCreateParameters,
  type TaskCreate,
  type taskCreateParameters,
  updateNames,
} from '../../contract/task-create.ts';
import { sanitizeHtml } from '../html/sanitize.ts';
import type { ParsedArguments } from '../http/arguments.ts';
import { ErrorResponse } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { originOf, type Service, type Session } from '../service/service.ts';
import { requireFolder } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import type { Folder } from '../state/store.ts';
import { createTaskIn, lastPriority } from '../task/new-task.ts';
import { requireUsers } from '../task/references.ts';
import { updateSubtaskLists } from '../task/subtask-lists.ts';
import { toTaskRecord } from '../task/task-record.ts';
import { applyUpdate } from '../task/update.ts';
import { dispatch } from '../webhooks/dispatch.ts';
import type { Occurrence } from '../webhooks/occurrence.ts';
import { toFolderRecord } from './account.ts';
import { type EndpointRequest, type Handlers, idOf } from './endpoint.ts';

export type Author = Pick<Session, 'user' | 'account'>;

/** Where a task or a folder may be created. Throws {@link ErrorResponse}. */
export function requireOpenFolder({ store }: Service, { user }: Author, id: string): Folder {
  const folder = requireFolder(store, user, id, 'folder');
  if (folder.kind === 'bin')
    throw new ErrorResponse('access_forbidden', `Folder ${id} is the recycle bin`, {
      because: 'create-records',
    });
  return folder;
}

function toUpdate({ title: _, ...rest }: TaskCreate): TaskUpdate {
  const renamed: Readonly<Record<string, string>> = updateNames;
  // Both have the same schemas under the two names.
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [renamed[name] ?? name, value]));
}

export function createTask(
  service: Service,
  author: Author,
  folder: Folder,
  create: ParsedArguments<typeof taskCreateParameters>,
): ApiResult {
  const { store, clock } = service;
  const { account, user } = author;
  const workspace = originOf(service, account.dataCentre);
  const blank = createTaskIn(store, folder, user.id, clock.now(), create.title, lastPriority(store));
  const task = applyUpdate(blank, toUpdate(create), { store, account, user, now: clock.now(), workspace });
  store.tasks.set(task.id, task);
  updateSubtaskLists(store, blank, task);
  dispatchCreated(service, author, 'TaskCreated', task.id, { task, placeIds: task.parentIds });
  return { kind: 'tasks', data: [toTaskRecord(store, user, workspace, task, create)] };
}

export function createFolder(
  service: Service,
  author: Author,
  parent: Folder,
  { title, description, shareds = [] }: ParsedArguments<typeof folderCreateParameters>,
): ApiResult {
  const { store, clock } = service;
  const { account, user } = author;
  const workspace = originOf(service, account.dataCentre);
  requireUsers({ store, account, user, now: clock.now(), workspace }, 'shareds', shareds);
  const { accountId, sharedIds } = parent;
  const folder: Folder = {
    id: `${accountId}I4${randomText(8)}`,
    accountId,
    title,
    ...(description === undefined
      ? {}
      : { description: sanitizeHtml(description, { images: [], workspace }) }),
    kind: 'folder',
    parentIds: [parent.id],
    sharedIds: [sharedIds[0], ...new Set([...sharedIds.slice(1), ...shareds])],
    customFields: [],
  };
  store.folders.set(folder.id, folder);
  dispatchCreated(service, author, 'FolderCreated', folder.id, { folder, placeIds: folder.parentIds });
  return { kind: 'folders', data: [toFolderRecord(store, user, folder)] };
}

function dispatchCreated(
  service: Service,
  author: Author,
  event: EventName,
  subjectId: string,
  what: Pick<Occurrence, 'task' | 'folder' | 'placeIds'>,
): void {
  service.scheduleSave();
  dispatch(service, {
    id: randomUUID(),
    event,
    accountId: author.account.id,
    authorId: author.user.id,
    date: formatTimestamp(service.clock.now()),
    subjectId,
    payload: {},
    ...what,
  });
}

const folderOf = (request: EndpointRequest<unknown>): Folder =>
  requireOpenFolder(request.service, request.session, idOf(request, 'folderId'));

export const createHandlers: Pick<Handlers, 'createTask' | 'createFolder'> = {
  createTask: (request) => createTask(request.service, request.session, folderOf(request), request.arguments),
  createFolder: (request) =>
    createFolder(request.service, request.session, folderOf(request), request.arguments),
};
