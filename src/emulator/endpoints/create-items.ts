// Creates tasks and folders in a folder, one by a request or several by a batch. The contract names the operations; their
// parameters are assumed (contract/task-create.ts).

import type { TaskUpdate } from '#contract/task.ts';
import {
  type folderCreateParameters,
  type TaskCreate,
  type taskCreateParameters,
  updateNames,
} from '#contract/task-create.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { dispatchEvent } from '../dispatch/task-events.ts';
import { folderEffects } from '../folder/folder-effects.ts';
import { toFolderRecord } from '../folder/folder-record.ts';
import type { ParsedArguments } from '../http/arguments.ts';
import type { ApiResult } from '../http/response.ts';
import { defaults } from '../state/default-members.ts';
import type { Folder } from '../state/store.ts';
import { taskEffects } from '../task/effects.ts';
import { createTaskIn, lastPriority } from '../task/new-task.ts';
import { toTaskRecord } from '../task/task-record.ts';
import { newId } from '../task/urls.ts';
import { applyEffects } from '../update/apply-effects.ts';
import { storeFolder, storeTask } from '../update/store-record.ts';
import { type Caller, type EndpointRequest, folderOf, type Handlers, idOf } from './endpoint.ts';
import { editableFolder } from './item-subject.ts';

function toUpdate({ title: _, ...rest }: TaskCreate): TaskUpdate {
  const renamed: Readonly<Record<string, string>> = updateNames;
  // A parameter has the same schema under both of its names.
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [renamed[name] ?? name, value]));
}

export function createTask(
  caller: Caller,
  folder: Folder,
  create: ParsedArguments<typeof taskCreateParameters>,
): ApiResult {
  const { service, store, user, account, timestamp } = caller;
  const last = lastPriority(store, account.id);
  const blank = createTaskIn(store, folder, user.id, timestamp, create.title, last);
  const task = applyEffects(taskEffects, blank, toUpdate(create), caller);
  storeTask(store, blank, task);
  dispatchEvent(service, user.id, 'TaskCreated', task);
  return { data: [toTaskRecord(caller, task, create)] };
}

export function createFolder(
  caller: Caller,
  parent: Folder,
  { title, shareds, project, ...create }: ParsedArguments<typeof folderCreateParameters>,
): ApiResult {
  const { service, store, user, timestamp } = caller;
  const { accountId, sharedIds } = parent;
  const blank: Folder = {
    ...defaults.folders,
    id: newId(accountId, 'I4', store.folders),
    accountId,
    title,
    parentIds: [parent.id],
    sharedIds,
    createdDate: timestamp,
    updatedDate: timestamp,
    ...omitUndefined({ workflowId: parent.workflowId }),
  };
  const { ownerIds, ...settings } = project ?? {};
  const ownProject = project && { ...settings, ...omitUndefined({ ownersAdd: ownerIds }) };
  const update = { ...create, ...omitUndefined({ addShareds: shareds, project: ownProject }) };
  const folder = applyEffects(folderEffects, blank, update, caller);
  storeFolder(store, folder);
  dispatchEvent(service, user.id, 'FolderCreated', folder);
  return { data: [toFolderRecord(caller, folder)] };
}

const parentOf = (request: EndpointRequest): Folder =>
  request.ids.single.has('spaceId') ? folderOf(request) : editableFolder(request, idOf(request, 'folderId'));

export const createHandlers = {
  createTask: (request) => createTask(request, parentOf(request), request.arguments),
  createSpaceTask: (request) => createTask(request, parentOf(request), request.arguments),
  createFolder: (request) => createFolder(request, parentOf(request), request.arguments),
  createSpaceFolder: (request) => createFolder(request, parentOf(request), request.arguments),
} satisfies Partial<Handlers>;
