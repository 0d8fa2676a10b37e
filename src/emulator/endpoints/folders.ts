// Lists, reads, changes and deletes folders, projects and spaces. The contract shows only the events that follow.

import { dispatchChanges, dispatchEvent } from '../dispatch/dispatch.ts';
import { type FolderUpdate, folderEffects } from '../folder/folder-effects.ts';
import * as records from '../folder/folder-record.ts';
import { forbidden, invalidParameter, invalidRequest } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import { isInBin, requireEntry, requireFolder, withAncestors } from '../state/access.ts';
import type { Folder } from '../state/store.ts';
import { createSharedFilter } from '../task/custom-field-filter.ts';
import { taskEffects } from '../task/effects.ts';
import { isWithin } from '../task/filter-tasks.ts';
import { added, applyEffects, removed, storeFolder } from '../update/apply-effects.ts';
import { type Caller, type Handlers, idOf, placeOf, readEach } from './endpoint.ts';
import { deleteStoredTask, storeChange } from './tasks.ts';

/** The tree of the account or of a folder, which comes first, or with a filter the matching folders without the root. */
const listFolders: Handlers['listFolders'] = (request) => {
  const { store, account } = request;
  const { descendants, deleted, fields, ...filters } = request.arguments;
  const { project, updatedDate, contractTypes } = filters;
  const top = placeOf(request);
  const topId = top?.id ?? account.rootFolderId;
  const below = records.visibleFolders(request).filter(({ parentIds }) => {
    if (descendants === false) return parentIds.includes(topId);
    return top === undefined || withAncestors(store, parentIds).has(topId);
  });
  const children = records.childrenByFolder(request);
  const isDeleted = (folder: Folder) => records.scopeOf(request, folder, children).startsWith('Rb');
  // A live folder may also be in a deleted one.
  const wanted = deleted ?? (top !== undefined && isDeleted(top) ? true : undefined);
  const found = [...(top === undefined ? [] : [top]), ...below].filter(
    (folder) => wanted === undefined || isDeleted(folder) === wanted,
  );
  if (descendants !== false && fields === undefined && Object.keys(filters).length === 0)
    return {
      ...paginate(request, found, (folder) =>
        records.toFolderRecord(request, folder, { shownIn: 'tree', children }),
      ),
      kind: 'folderTree',
    };
  const fits = createSharedFilter(store, filters);
  const matches = found.filter(
    (folder) =>
      folder.kind !== 'root' &&
      (project === undefined || (folder.project !== undefined) === project) &&
      fits(folder) &&
      isWithin(folder.updatedDate ?? folder.createdDate, updatedDate) &&
      (contractTypes === undefined || contractTypes.some((type) => folder.project?.contractType === type)),
  );
  return paginate(request, matches, (folder) =>
    records.toFolderRecord(request, folder, { fields, shownIn: 'list', children }),
  );
};

/** A folder, project or space that can be changed; what is in the recycle bin can only be restored. */
function changeableFolder(request: Caller, id: string, isRestored: boolean): Folder {
  const folder = requireFolder(request, id);
  const kinds: { readonly [K in Folder['kind']]?: string } = { root: 'the root', bin: 'the recycle bin' };
  const why = kinds[folder.kind] ?? (!isRestored && isInBin(request.store, folder) && 'in the recycle bin');
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
  const options = { fields: update.fields, children: records.childrenByFolder(request) };
  return { data: changes.map(([, after]) => records.toFolderRecord(request, after, options)) };
}

/** Gives folders that left the recycle bin their tasks again: the ones deleted with them, and the ones that are also elsewhere. */
function restoreTasks(request: Caller): void {
  const { store, timestamp: updatedDate } = request;
  const isBack = (id: string) => !isInBin(store, requireEntry(store.folders, id));
  for (const task of store.tasks.values()) {
    const isLive = task.scope === 'WsTask';
    const backIds = isLive || task.deletedWith !== undefined ? task.formerParentIds.filter(isBack) : [];
    if (backIds.length === 0) continue;
    const restored = isLive
      ? { ...task, parentIds: added(task.parentIds, backIds), updatedDate }
      : applyEffects(taskEffects, task, { restore: true }, request);
    const formerParentIds = removed(task.formerParentIds, backIds);
    storeChange(request, [task, { ...restored, formerParentIds }], !isLive);
  }
}

/** Moves a folder into the recycle bin, with the folders and tasks that are nowhere else. */
const deleteFolder: Handlers['deleteFolder'] = (request) => {
  const { service, store, user, timestamp: updatedDate } = request;
  const folder = changeableFolder(request, idOf(request, 'folderId'), true);
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
  for (const task of tasks) {
    const parentIds = removed(task.parentIds, deletedIds);
    const formerParentIds = added(task.formerParentIds, removed(task.parentIds, parentIds));
    if (parentIds.length === 0 && task.superTaskIds.length === 0)
      deleteStoredTask(service, user.id, task, deletedIds[0]);
    else storeChange(request, [task, { ...task, parentIds, formerParentIds, updatedDate }]);
  }
  storeFolder(store, deleted);
  return { data: [records.toFolderRecord(request, deleted)] };
};

export const folderHandlers = {
  listSpaces(request) {
    const { withArchived } = request.arguments;
    // You see only spaces of which you are a member, so userIsMember=true leaves out none.
    const spaces = records
      .visibleFolders(request)
      .filter(({ kind, archived }) => kind === 'space' && (withArchived === true || !archived));
    return paginate(request, spaces, (space) => records.toSpaceRecord(request, space));
  },
  listFolders,
  listSubfolders: listFolders,
  listSpaceFolders: listFolders,
  getFolders(request) {
    const options = { ...request.arguments, children: records.childrenByFolder(request) };
    return readEach(request, (id) => {
      if (id === request.account.rootFolderId)
        throw invalidParameter('folderIds', `${id} is the root`, 'root-by-id');
      return records.toFolderRecord(request, requireFolder(request, id), options);
    });
  },
  getSpaces: (request) =>
    readEach(request, (id) => records.toSpaceRecord(request, requireFolder(request, id, 'space'))),
  updateFolder: (request) => updateFolders(request, [idOf(request, 'folderId')], request.arguments),
  updateFolders: (request) => updateFolders(request, request.ids.several, request.arguments),
  deleteFolder,
} satisfies Partial<Handlers>;
