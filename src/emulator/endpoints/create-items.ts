// Creates tasks and folders in a folder, one by a request or several by a batch. The contract names the operations; their
// parameters are assumed (contract/task-create.ts).

import type { TaskUpdate } from '#contract/task.ts';
import {
  type folderCreateParameters,
  type TaskCreate,
  type taskCreateParameters,
  updateNames,
} from '#contract/task-create.ts';
import { dispatchFolderEvent, dispatchTaskEvent } from '../dispatch/task-events.ts';
import { sanitizeHtml } from '../html/sanitize.ts';
import type { ParsedArguments } from '../http/arguments.ts';
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
import { toFolderRecord } from './account.ts';
import { type EndpointRequest, type Handlers, idOf } from './endpoint.ts';
import { editableFolder } from './item-subject.ts';

export type Author = Pick<Session, 'user' | 'account'>;

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
  assume: EndpointRequest<unknown>['assume'],
): ApiResult {
  const { store, clock } = service;
  const { account, user } = author;
  const workspace = originOf(service, account.dataCentre);
  const last = lastPriority(store, account.id);
  const blank = createTaskIn(store, folder, user.id, clock.now(), create.title, last);
  const task = applyUpdate(blank, toUpdate(create), {
    store,
    account,
    user,
    timestamp: clock.timestamp(),
    workspace,
    assume,
  });
  store.tasks.set(task.id, task);
  updateSubtaskLists(store, blank, task);
  service.scheduleSave();
  dispatchTaskEvent(service, user.id, 'TaskCreated', task);
  return { kind: 'tasks', data: [toTaskRecord(service, user, workspace, task, create)] };
}

export function createFolder(
  service: Service,
  author: Author,
  parent: Folder,
  { title, description, shareds = [] }: ParsedArguments<typeof folderCreateParameters>,
  assume: EndpointRequest<unknown>['assume'],
): ApiResult {
  const { store, clock } = service;
  const { account, user } = author;
  const workspace = originOf(service, account.dataCentre);
  requireUsers({ store, account, user, timestamp: clock.timestamp(), workspace, assume }, 'shareds', shareds);
  const { accountId } = parent;
  const [owner, ...others] = parent.sharedIds;
  const withOthers = new Set([...others, ...shareds]);
  withOthers.delete(owner);
  const folder: Folder = {
    id: `${accountId}I4${randomText(8)}`,
    accountId,
    title,
    ...(description === undefined
      ? {}
      : { description: sanitizeHtml(description, { images: [], workspace, assume }) }),
    kind: 'folder',
    parentIds: [parent.id],
    sharedIds: [owner, ...withOthers],
    customFields: [],
    createdDate: clock.timestamp(),
    updatedDate: clock.timestamp(),
  };
  store.folders.set(folder.id, folder);
  service.scheduleSave();
  dispatchFolderEvent(service, user.id, 'FolderCreated', folder);
  return { kind: 'folders', data: [toFolderRecord({ service, session: author }, folder)] };
}

const folderOf = ({ service, session, ids }: EndpointRequest<unknown>): Folder =>
  editableFolder(service.store, session.user, idOf({ ids }, 'folderId'));

const spaceOf = ({ service, session, ids }: EndpointRequest<unknown>): Folder =>
  requireFolder(service.store, session.user, idOf({ ids }, 'spaceId'), 'space');

const taskIn = (
  {
    service,
    session,
    arguments: given,
    assume,
  }: EndpointRequest<ParsedArguments<typeof taskCreateParameters>>,
  folder: Folder,
) => createTask(service, session, folder, given, assume);

const folderIn = (
  {
    service,
    session,
    arguments: given,
    assume,
  }: EndpointRequest<ParsedArguments<typeof folderCreateParameters>>,
  parent: Folder,
) => createFolder(service, session, parent, given, assume);

export const createHandlers = {
  createTask: (request) => taskIn(request, folderOf(request)),
  createSpaceTask: (request) => taskIn(request, spaceOf(request)),
  createFolder: (request) => folderIn(request, folderOf(request)),
  createSpaceFolder: (request) => folderIn(request, spaceOf(request)),
} satisfies Partial<Handlers>;
