// Changes and deletes folders: programs clean up what they have made. The contract shows neither request, but the events that
// follow; the rest is assumed.

import type { EventName } from '#contract/event.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { dispatchFolderEvent, dispatchTaskChanges } from '../dispatch/task-events.ts';
import { sanitizeHtml } from '../html/sanitize.ts';
import { ErrorResponse, invalidParameter } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { originOf } from '../service/service.ts';
import { isInBin, requireFolder, withAncestors } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Folder, StoredTask } from '../state/store.ts';
import { requirePlaces, requireUsers } from '../task/references.ts';
import { toFolderRecord } from './account.ts';
import { type ArgumentsOf, type EndpointRequest, type Handlers, idOf } from './endpoint.ts';
import { deleteStoredTask } from './tasks.ts';

const forbidden = (why: string) => new ErrorResponse('access_forbidden', why, 'change-folder');

/** The folder, project or space in the path, if it can be changed. */
function changeableFolder({ service, session, ids }: EndpointRequest<unknown>): Folder {
  const { store } = service;
  const folder = requireFolder(store, session.user, idOf({ ids }, 'folderId'), 'folder');
  if (folder.kind === 'root' || folder.kind === 'bin')
    throw forbidden(`Folder ${folder.id} is the ${folder.kind === 'root' ? 'root' : 'recycle bin'}`);
  if (isInBin(store, folder)) throw forbidden(`Folder ${folder.id} is in the recycle bin`);
  return folder;
}

const without = (ids: readonly string[], removed: readonly string[]) =>
  ids.filter((id) => !removed.includes(id));
const withAll = (ids: readonly string[], added: readonly string[]) => [...new Set([...ids, ...added])];

function updateFolder(request: EndpointRequest<ArgumentsOf<'updateFolder'>>): ApiResult {
  const { service, session, assume } = request;
  const { store, clock } = service;
  const { title, description, addParents = [], removeParents = [] } = request.arguments;
  const { addShareds = [], removeShareds = [] } = request.arguments;
  const before = changeableFolder(request);
  const workspace = originOf(service, session.account.dataCentre);
  const context = { store, ...session, timestamp: clock.timestamp(), workspace, assume };
  requireUsers(context, 'addShareds', addShareds);
  for (const { id, parentIds } of requirePlaces(context, 'addParents', addParents))
    if (id === before.id || withAncestors(store, parentIds).has(before.id))
      throw invalidParameter(
        'addParents',
        `${id} is the folder itself or one of those below it`,
        'change-folder',
      );
  const parentIds = without(withAll(before.parentIds, addParents), removeParents);
  if (parentIds.length === 0)
    throw invalidParameter('removeParents', 'the folder would be nowhere', 'change-folder');
  const [owner, ...others] = without(withAll(before.sharedIds, addShareds), removeShareds);
  if (owner === undefined)
    throw invalidParameter('removeShareds', 'no user would see the folder', 'change-folder');
  const after: Folder = {
    ...before,
    parentIds,
    sharedIds: [owner, ...others],
    updatedDate: clock.timestamp(),
    ...omitUndefined({ title }),
    ...(description === undefined
      ? {}
      : { description: sanitizeHtml(description, { images: [], workspace, assume }) }),
  };
  store.folders.set(after.id, after);
  store.tasks.forgetLists();
  service.scheduleSave();
  dispatchChanges(request, before, after);
  return { kind: 'folders', data: [toFolderRecord(request, after)] };
}

/** In the contract's order of events. */
function dispatchChanges(
  { service, session }: EndpointRequest<unknown>,
  before: Folder,
  after: Folder,
): void {
  const places = withAll(before.parentIds, after.parentIds);
  const add = (event: EventName, payload: Readonly<Record<string, unknown>> = {}) =>
    dispatchFolderEvent(service, session.user.id, event, after, payload, places);
  if (before.title !== after.title) add('FolderTitleChanged', { oldValue: before.title, title: after.title });
  const lists = [
    ['Parents', before.parentIds, after.parentIds],
    ['Shareds', before.sharedIds, after.sharedIds],
  ] as const;
  for (const [name, was, is] of lists) {
    const [more, less] = [without(is, was), without(was, is)];
    if (more.length > 0) add(`Folder${name}Added`, { [`added${name}`]: more });
    if (less.length > 0) add(`Folder${name}Removed`, { [`removed${name}`]: less });
  }
  if (before.description !== after.description) add('FolderDescriptionChanged');
}

/** Moves it into the recycle bin with what is in it alone. */
function deleteFolder(request: EndpointRequest<unknown>): ApiResult {
  const { service, session } = request;
  const { store } = service;
  const folder = changeableFolder(request);
  const { recycleBinId, rootFolderId } = requireEntry(store.accounts, folder.accountId);
  const updatedDate = service.clock.timestamp();
  const deleted: Folder = { ...folder, parentIds: [recycleBinId], updatedDate };
  const below = [...store.folders.values()].filter(
    (one) => one.id === folder.id || withAncestors(store, one.parentIds).has(folder.id),
  );
  store.folders.set(folder.id, deleted);
  const gone = below.filter((one) => !withAncestors(store, [one.id]).has(rootFolderId));
  const goneIds = gone.map(({ id }) => id);
  // Webhooks hear of it where it was.
  store.folders.set(folder.id, folder);
  for (const one of gone) dispatchFolderEvent(service, session.user.id, 'FolderDeleted', one);
  const tasks = [...store.tasks.values()].filter(
    ({ scope, parentIds }) => scope === 'WsTask' && parentIds.some((id) => goneIds.includes(id)),
  );
  for (const task of tasks) takeOut(request, task, goneIds, rootFolderId);
  store.folders.set(folder.id, deleted);
  store.tasks.forgetLists();
  service.scheduleSave();
  return { kind: 'folders', data: [toFolderRecord(request, deleted)] };
}

/** A task that is in no other folder goes into the recycle bin too; one that is restored comes back in the root. */
function takeOut(
  { service, session }: EndpointRequest<unknown>,
  task: StoredTask,
  goneIds: readonly string[],
  rootFolderId: string,
): void {
  const { store, clock } = service;
  const parentIds = without(task.parentIds, goneIds);
  if (parentIds.length === 0 && task.superTaskIds.length === 0) {
    const deleted = deleteStoredTask(service, session.user.id, task);
    store.tasks.set(task.id, { ...deleted, formerParentIds: [rootFolderId] });
    return;
  }
  const moved = { ...task, parentIds, updatedDate: clock.timestamp() };
  store.tasks.set(task.id, moved);
  dispatchTaskChanges(service, session.user.id, task, moved);
}

export const changeFolderHandlers = {
  updateFolder,
  deleteFolder,
} satisfies Partial<Handlers>;
