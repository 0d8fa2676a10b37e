// Lists, reads, changes and deletes folders, projects and spaces. The contract shows only the events that follow.

import { dispatchChanges, dispatchEvent } from '../dispatch/task-events.ts';
import { type FolderUpdate, folderEffects } from '../folder/folder-effects.ts';
import { childrenByFolder, toFolderRecord, toSpaceRecord, visibleFolders } from '../folder/folder-record.ts';
import { forbidden, invalidRequest } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import { isInBin, requireFolder, withAncestors } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Folder, StoredTask } from '../state/store.ts';
import { taskEffects } from '../task/effects.ts';
import { permalinkOf } from '../task/urls.ts';
import { applyEffects } from '../update/apply-effects.ts';
import { removed } from '../update/draft.ts';
import { storeFolder } from '../update/store-record.ts';
import {
  type ArgumentsOf,
  type Caller,
  type EndpointRequest,
  folderOf,
  type Handlers,
  idOf,
  readEach,
} from './endpoint.ts';
import { deleteStoredTask } from './tasks.ts';

/** The subfolders of a folder or space, with `descendants` at any depth. */
function listSubfolders(request: EndpointRequest<ArgumentsOf<'listSubfolders'>>): ApiResult {
  const { store, arguments: filters } = request;
  const { id } = folderOf(request);
  const folders = visibleFolders(request).filter(
    ({ parentIds }) =>
      parentIds.includes(id) || (filters.descendants === true && withAncestors(store, parentIds).has(id)),
  );
  return listFolders(request, folders);
}

function listFolders(
  request: EndpointRequest<ArgumentsOf<'listFolders'>>,
  folders: readonly Folder[],
): ApiResult {
  const { permalink, project } = request.arguments;
  const matches = folders.filter(
    (folder) =>
      (project === undefined || (folder.project !== undefined) === project) &&
      (permalink === undefined || permalinkOf(request.workspace, folder) === permalink),
  );
  const children = childrenByFolder(request);
  return paginate(request, matches, (folder) => toFolderRecord(request, folder, children));
}

/** A folder, project or space that can be changed; what is in the recycle bin can only be restored. */
function changeableFolder(request: Caller, id: string, isRestored: boolean): Folder {
  const folder = requireFolder(request, id);
  const why =
    folder.kind === 'root'
      ? 'the root'
      : folder.kind === 'bin'
        ? 'the recycle bin'
        : !isRestored && isInBin(request.store, folder) && 'in the recycle bin';
  if (why) throw forbidden(`Folder ${folder.id} is ${why}`, 'change-folder');
  return folder;
}

/** Changes all folders or none. */
function updateFolders(request: Caller, ids: readonly string[], update: FolderUpdate): ApiResult {
  const { service, store, user } = request;
  const changes = ids.map((id) => {
    const before = changeableFolder(request, id, update.restore === true);
    return [before, applyEffects(folderEffects, before, update, request)] as const;
  });
  for (const [before, after] of changes) {
    storeFolder(store, after);
    dispatchChanges(service, user.id, before, after);
  }
  if (update.restore) restoreTasks(request);
  return { data: changes.map(([, after]) => toFolderRecord(request, after)) };
}

/** Restores the tasks that were deleted with a folder which is in the recycle bin no more. */
function restoreTasks(request: Caller): void {
  const { store } = request;
  const isBack = (id: string) => !isInBin(store, requireEntry(store.folders, id));
  for (const task of store.tasks.values())
    if (task.deletedWith !== undefined && task.formerParentIds.some(isBack))
      store.tasks.set(task.id, applyEffects(taskEffects, task, { restore: true }, request));
}

/** Moves a folder into the recycle bin, with the folders and tasks that are nowhere else. */
function deleteFolder(request: EndpointRequest<unknown>): ApiResult {
  const { service, store, user, timestamp: updatedDate } = request;
  const folder = changeableFolder(request, folderOf(request).id, true);
  if (isInBin(store, folder))
    throw invalidRequest(`Folder ${folder.id} is in the recycle bin already`, 'already-deleted');
  const { recycleBinId, rootFolderId } = requireEntry(store.accounts, folder.accountId);
  const formerParentIds = folder.parentIds;
  const deleted: Folder = { ...folder, parentIds: [recycleBinId], formerParentIds, updatedDate };
  const tree = [...store.folders.values()].filter(({ id }) => withAncestors(store, [id]).has(folder.id));
  store.folders.set(folder.id, deleted);
  const deletedFolders = tree.filter(({ id }) => !withAncestors(store, [id]).has(rootFolderId));
  const deletedIds = deletedFolders.map(({ id }) => id);
  // Webhooks of the former place get the events.
  store.folders.set(folder.id, folder);
  for (const each of deletedFolders) dispatchEvent(service, user.id, 'FolderDeleted', each);
  const tasks = [...store.tasks.values()].filter(
    ({ scope, parentIds }) => scope === 'WsTask' && parentIds.some((id) => deletedIds.includes(id)),
  );
  for (const task of tasks) removeFromFolders(request, task, deletedIds);
  store.folders.set(folder.id, deleted);
  store.tasks.forgetLists();
  return { data: [toFolderRecord(request, deleted)] };
}

/** A task in no other folder goes into the recycle bin with the first folder. */
function removeFromFolders(
  { service, store, user, timestamp: updatedDate }: Caller,
  task: StoredTask,
  folderIds: readonly string[],
): void {
  const parentIds = removed(task.parentIds, folderIds);
  if (parentIds.length === 0 && task.superTaskIds.length === 0) {
    deleteStoredTask(service, user.id, task, folderIds[0]);
    return;
  }
  const moved = { ...task, parentIds, updatedDate };
  store.tasks.set(task.id, moved);
  dispatchChanges(service, user.id, task, moved);
}

export const folderHandlers = {
  listSpaces(request) {
    const spaces = visibleFolders(request).filter(({ kind }) => kind === 'space');
    return paginate(request, spaces, toSpaceRecord);
  },
  listFolders(request) {
    const root = request.account.rootFolderId;
    const withDescendants = request.arguments.descendants !== false;
    const folders = visibleFolders(request).filter(
      ({ parentIds }) => withDescendants || parentIds.includes(root),
    );
    return listFolders(request, folders);
  },
  listSubfolders,
  listSpaceFolders: listSubfolders,
  getFolders: (request) => readEach(request, (id) => toFolderRecord(request, requireFolder(request, id))),
  getSpaces: (request) => readEach(request, (id) => toSpaceRecord(requireFolder(request, id, 'space'))),
  updateFolder: (request) => updateFolders(request, [idOf(request, 'folderId')], request.arguments),
  updateFolders: (request) => updateFolders(request, request.ids.several, request.arguments),
  deleteFolder,
} satisfies Partial<Handlers>;
