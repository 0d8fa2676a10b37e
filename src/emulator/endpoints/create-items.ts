// Creates tasks and folders: by a request, by a batch, or as copies. The contract names the operations; their parameters are assumed.

import { type TaskUpdate, title as titleSchema } from '#contract/task.ts';
import { createName, type TaskCreate, updateNames } from '#contract/task-create.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';
import { dispatchEvent } from '../dispatch/dispatch.ts';
import { folderEffects } from '../folder/folder-effects.ts';
import { toFolderRecord, visibleFolders } from '../folder/folder-record.ts';
import { invalidParameter, invalidRequest, validateParameter } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { canSeeTask, reachable, requireEntry, type Subject, withAncestors } from '../state/access.ts';
import { defaults } from '../state/default-members.ts';
import type { Folder, Store, StoredTask } from '../state/store.ts';
import { comparePriority } from '../state/task-map.ts';
import { taskEffects } from '../task/effects.ts';
import { keyAfter } from '../task/priority.ts';
import { toTaskRecord } from '../task/task-record.ts';
import { newId } from '../task/urls.ts';
import { added, applyEffects, removed, storeFolder, storeTask } from '../update/apply-effects.ts';
import { requireFormerUsers, requireMembers, requireParentFolders } from '../update/references.ts';
import { type ArgumentsOf, type Caller, type Handlers, idOf, type RequestOf } from './endpoint.ts';
import { editableFolder, parentOf } from './item-subject.ts';

function toUpdate({ title: _, ...rest }: TaskCreate): TaskUpdate {
  const renamed: Readonly<Record<string, string>> = updateNames;
  // A parameter has the same schema under both of its names.
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [renamed[name] ?? name, value]));
}

export function createTask(caller: Caller, folder: Folder, create: ArgumentsOf<'createTask'>): ApiResult {
  const { service, store, user, account, timestamp } = caller;
  const last = lastPriority(store, account.id);
  const blank = createTaskIn(service, folder, user.id, timestamp, create.title, last);
  const task = applyEffects(taskEffects, blank, toUpdate(create), caller, createName);
  storeTask(store, blank, task);
  dispatchEvent(service, user.id, 'TaskCreated', task);
  return { data: [toTaskRecord(caller, task, create)] };
}

export function createFolder(caller: Caller, parent: Folder, create: ArgumentsOf<'createFolder'>): ApiResult {
  const { title, shareds, project, ...rest } = create;
  const { service, store, user, timestamp } = caller;
  const { accountId, sharedIds } = parent;
  const blank: Folder = {
    ...defaults.folders,
    id: newId(service, accountId, 'I4', store.folders),
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
  const update = { ...rest, ...omitUndefined({ addShareds: shareds, project: ownProject }) };
  const folder = applyEffects(folderEffects, blank, update, caller, createName);
  storeFolder(store, folder);
  dispatchEvent(service, user.id, 'FolderCreated', folder);
  return { data: [toFolderRecord(caller, folder, create)] };
}

const because = 'reference-endpoints';
/** Copies the folder in the path with the folders and tasks in it, without comments, attachments and dependencies. */
export function copyFolder(caller: RequestOf<'copyFolder'>): Folder {
  const { service, store, user, account, timestamp, arguments: options } = caller;
  const { parent, titlePrefix = '', entryLimit = 250, copyParents = false } = options;
  const { addResponsibles = [], removeResponsibles = [] } = options;
  const source = editableFolder(caller, idOf(caller, 'folderId'));
  if (source.kind === 'root') throw invalidRequest('The root cannot be copied', because);
  for (const name of ['rescheduleDate', 'rescheduleMode', 'copyCustomStatuses'] as const)
    if ((options[name] ?? true) !== true)
      throw invalidParameter(name, 'a copy in the emulator keeps its dates and custom statuses', because);
  requireParentFolders(caller, 'parent', [parent]);
  requireMembers(caller, 'addResponsibles', addResponsibles);
  requireFormerUsers(caller, 'removeResponsibles', removeResponsibles);
  const folders = visibleFolders(caller).filter(({ id }) => withAncestors(store, [id]).has(source.id));
  const newIds = new Map(folders.map(({ id }) => [id, newId(service, account.id, 'I4', store.folders)]));
  const direct = [...store.tasks.values()].filter(({ parentIds }) => parentIds.some((id) => newIds.has(id)));
  const all = reachable(direct, ({ subTaskIds }) => subTaskIds.map((id) => requireEntry(store.tasks, id)));
  const tasks = [...all].filter((task) => task.scope === 'WsTask' && canSeeTask(store, user, task));
  for (const { id } of tasks.sort(comparePriority))
    newIds.set(id, newId(service, account.id, 'KQ', store.tasks));
  if (newIds.size > entryLimit)
    throw invalidParameter('entryLimit', `there are ${newIds.size} folders and tasks to copy`, because);
  const copied = (ids: readonly string[]) => ids.flatMap((id) => newIds.get(id) ?? []);
  const copy = <R extends Subject>(record: R): R => ({
    ...record,
    id: requireEntry(newIds, record.id),
    title: validateParameter('titlePrefix', () => titleSchema.validate(`${titlePrefix}${record.title}`)),
    createdDate: timestamp,
    updatedDate: timestamp,
    parentIds: record.parentIds.flatMap((id) => newIds.get(id) ?? (copyParents ? id : [])),
    ...(options.copyDescriptions === false && { description: '' }),
    ...(options.copyCustomFields === false && { customFields: [] }),
    attachments: [],
  });
  const newFolders = folders.map((folder): Folder => {
    const made = { ...copy(folder), kind: folder.kind === 'project' ? 'project' : 'folder' } as const;
    if (folder !== source) return made;
    return { ...made, title: options.title, parentIds: added([parent], made.parentIds) };
  });
  const { status, customStatusId } = createTaskIn(service, source, user.id, timestamp, '', '');
  let priority = lastPriority(store, account.id);
  const newTasks = tasks.map((task): StoredTask => {
    priority = keyAfter(priority);
    const made = copy(task);
    const { completedDate: _, ...active } = made;
    const responsibleIds = options.copyResponsibles === false ? [] : task.responsibleIds;
    return {
      ...(options.copyStatuses === false ? { ...active, status, customStatusId } : made),
      priority,
      authorIds: [user.id],
      superTaskIds: copied(task.superTaskIds),
      subTaskIds: copied(task.subTaskIds),
      responsibleIds: removed(added(responsibleIds, addResponsibles), removeResponsibles),
      dependencyIds: [],
    };
  });
  for (const folder of newFolders) storeFolder(store, folder);
  for (const task of newTasks) store.tasks.set(task.id, task);
  for (const folder of newFolders) dispatchEvent(service, user.id, 'FolderCreated', folder);
  for (const task of newTasks) dispatchEvent(service, user.id, 'TaskCreated', task);
  return requireEntry(store.folders, requireEntry(newIds, source.id));
}

export const createHandlers = {
  createTask: (request) => createTask(request, parentOf(request), request.arguments),
  createSpaceTask: (request) => createTask(request, parentOf(request), request.arguments),
  createFolder: (request) => createFolder(request, parentOf(request), request.arguments),
  createSpaceFolder: (request) => createFolder(request, parentOf(request), request.arguments),
  copyFolder: (request) => ({ data: [toFolderRecord(request, copyFolder(request))] }),
} satisfies Partial<Handlers>;

export function lastPriority({ tasks }: Store, accountId: string): string {
  return tasks.get(tasks.idsIn(accountId).at(-1) ?? '')?.priority ?? '';
}

/** `date`: a timestamp. `previousPriority`: of the task before it. */
export function createTaskIn(
  service: Pick<World, 'randomBytes'> & { readonly store: Store },
  folder: Folder,
  authorId: string,
  date: string,
  title: string,
  previousPriority: string,
): StoredTask {
  const { store } = service;
  const { accountId } = folder;
  const workflows = [...store.workflows.values()].filter((row) => row.accountId === accountId);
  const workflow = workflows.findLast(({ standard }) => standard);
  if (workflow === undefined) throw new Error(`The emulator has no entry ${accountId}`);
  return {
    ...defaults.tasks,
    id: newId(service, accountId, 'KQ', store.tasks),
    accountId,
    title,
    status: 'Active',
    customStatusId: workflow.statuses[0].id,
    createdDate: date,
    updatedDate: date,
    parentIds: [folder.id],
    authorIds: [authorId],
    // In a private folder, the author alone.
    sharedIds: folder.sharedIds.includes(authorId) ? folder.sharedIds : [...folder.sharedIds, authorId],
    followerIds: [authorId],
    priority: keyAfter(previousPriority),
  };
}
