// Changes and deletes folders. The contract shows only the events that follow; the requests are assumed.

import type { EventName } from '#contract/event.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { dispatchEvent, dispatchTaskChanges } from '../dispatch/task-events.ts';
import { sanitizeHtml } from '../html/sanitize.ts';
import { forbidden, invalidParameter } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { isInBin, withAncestors } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Folder, StoredTask } from '../state/store.ts';
import { added, removed } from '../task/draft.ts';
import { requireParentFolders, requireUsers } from '../task/references.ts';
import { toFolderRecord } from './account.ts';
import { type ArgumentsOf, type Caller, type EndpointRequest, folderOf, type Handlers } from './endpoint.ts';
import { deleteStoredTask } from './tasks.ts';

/** The folder, project or space in the path, if it can be changed. */
function changeableFolder(request: EndpointRequest<unknown>): Folder {
  const folder = folderOf(request);
  const why =
    folder.kind === 'root'
      ? 'the root'
      : folder.kind === 'bin'
        ? 'the recycle bin'
        : isInBin(request.store, folder) && 'in the recycle bin';
  if (why) throw forbidden(`Folder ${folder.id} is ${why}`, 'change-folder');
  return folder;
}

const reject = (parameter: string, why: string) => invalidParameter(parameter, why, 'change-folder');

function updateFolder(request: EndpointRequest<ArgumentsOf<'updateFolder'>>): ApiResult {
  const { store, timestamp } = request;
  const { title, description, addParents = [], removeParents = [] } = request.arguments;
  const { addShareds = [], removeShareds = [] } = request.arguments;
  const before = changeableFolder(request);
  requireUsers(request, 'addShareds', addShareds);
  for (const { id, parentIds } of requireParentFolders(request, 'addParents', addParents))
    if (id === before.id || withAncestors(store, parentIds).has(before.id))
      throw reject('addParents', `${id} is the folder itself or one of those below it`);
  const parentIds = removed(added(before.parentIds, addParents), removeParents);
  if (parentIds.length === 0) throw reject('removeParents', 'the folder would be nowhere');
  const [owner, ...members] = removed(added(before.sharedIds, addShareds), removeShareds);
  if (owner === undefined) throw reject('removeShareds', 'no user would see the folder');
  const after: Folder = {
    ...before,
    parentIds,
    sharedIds: [owner, ...members],
    updatedDate: timestamp,
    ...omitUndefined({ title, description: description && sanitizeHtml(description, request) }),
  };
  store.folders.set(after.id, after);
  store.tasks.forgetLists();
  dispatchChanges(request, before, after);
  return { data: [toFolderRecord(request, after)] };
}

/** In the contract's order of events. */
function dispatchChanges({ service, user }: Caller, before: Folder, after: Folder): void {
  const places = added(before.parentIds, after.parentIds);
  const dispatch = (event: EventName, payload: Readonly<Record<string, unknown>> = {}) =>
    dispatchEvent(service, user.id, event, after, payload, places);
  if (before.title !== after.title)
    dispatch('FolderTitleChanged', { oldValue: before.title, title: after.title });
  const lists = [
    ['Parents', before.parentIds, after.parentIds],
    ['Shareds', before.sharedIds, after.sharedIds],
  ] as const;
  for (const [name, oldIds, newIds] of lists) {
    const [addedIds, removedIds] = [removed(newIds, oldIds), removed(oldIds, newIds)];
    if (addedIds.length > 0) dispatch(`Folder${name}Added`, { [`added${name}`]: addedIds });
    if (removedIds.length > 0) dispatch(`Folder${name}Removed`, { [`removed${name}`]: removedIds });
  }
  if (before.description !== after.description) dispatch('FolderDescriptionChanged');
}

/** Moves a folder into the recycle bin, with the folders and tasks that are nowhere else. */
function deleteFolder(request: EndpointRequest<unknown>): ApiResult {
  const { service, store, user, timestamp: updatedDate } = request;
  const folder = changeableFolder(request);
  const { recycleBinId, rootFolderId } = requireEntry(store.accounts, folder.accountId);
  const deleted: Folder = { ...folder, parentIds: [recycleBinId], updatedDate };
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
  for (const task of tasks) removeFromFolders(request, task, deletedIds, rootFolderId);
  store.folders.set(folder.id, deleted);
  store.tasks.forgetLists();
  return { data: [toFolderRecord(request, deleted)] };
}

/** A task in no other folder goes into the recycle bin too; restoring it puts it into the root. */
function removeFromFolders(
  { service, store, user, timestamp: updatedDate }: Caller,
  task: StoredTask,
  folderIds: readonly string[],
  rootFolderId: string,
): void {
  const parentIds = removed(task.parentIds, folderIds);
  if (parentIds.length === 0 && task.superTaskIds.length === 0) {
    const deleted = deleteStoredTask(service, user.id, task);
    store.tasks.set(task.id, { ...deleted, formerParentIds: [rootFolderId] });
    return;
  }
  const moved = { ...task, parentIds, updatedDate };
  store.tasks.set(task.id, moved);
  dispatchTaskChanges(service, user.id, task, moved);
}

export const changeFolderHandlers = { updateFolder, deleteFolder } satisfies Partial<Handlers>;
