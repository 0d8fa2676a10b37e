// The subject of a comment, an attachment or a timelog: a task or a folder, the rights to it, and the events that follow.

import { dispatchEvent, type Occurrence } from '../dispatch/dispatch.ts';
import { forbidden } from '../http/error-response.ts';
import {
  canSeeSubject,
  findSubject,
  isInBin,
  isTask,
  requireFolder,
  requireTask,
  type Subject,
  type Viewer,
} from '../state/access.ts';
import type { Folder, StoredTask } from '../state/store.ts';
import { type Caller, type EndpointRequest, folderOf, idOf } from './endpoint.ts';

/** Exactly one of the two. */
export interface SubjectId {
  readonly taskId?: string;
  readonly folderId?: string;
}

export const subjectIdOf = ({ ids }: EndpointRequest): SubjectId => Object.fromEntries(ids.single);

export function canSeeItem({ store, user }: Viewer, { taskId, folderId = '' }: SubjectId): boolean {
  const subject = findSubject(store, taskId ?? folderId);
  return subject !== undefined && canSeeSubject(store, user, subject);
}

export const requireSubject = (viewer: Viewer, { taskId, folderId = '' }: SubjectId): Subject =>
  taskId === undefined ? requireFolder(viewer, folderId) : requireTask(viewer, taskId);

/** The items of the task or folder in the path, or of the whole account, that the user may see. */
export function itemsIn<I extends SubjectId>(request: EndpointRequest, items: Iterable<I>): I[] {
  if (request.ids.single.size === 0) return [...items].filter((item) => canSeeItem(request, item));
  const { id } = requireSubject(request, subjectIdOf(request));
  return [...items].filter(({ taskId, folderId }) => (taskId ?? folderId) === id);
}

export function editableTask(viewer: Viewer, id: string): StoredTask {
  const task = requireTask(viewer, id);
  if (task.scope === 'RbTask') throw forbidden(`Task ${id} is in the recycle bin`, 'deleted-task-items');
  return task;
}

export function editableFolder(viewer: Viewer, id: string): Folder {
  const folder = requireFolder(viewer, id);
  if (folder.kind === 'bin') throw forbidden(`Folder ${id} is the recycle bin`, 'create-records');
  if (isInBin(viewer.store, folder)) throw forbidden(`Folder ${id} is in the recycle bin`, 'change-folder');
  return folder;
}

/** Where the request creates a record: the space in the path, or the folder, unless it is in the recycle bin. */
export const parentOf = (request: EndpointRequest): Folder =>
  request.ids.single.has('spaceId') ? folderOf(request) : editableFolder(request, idOf(request, 'folderId'));

export const editableSubject = (viewer: Viewer, { taskId, folderId = '' }: SubjectId): Subject =>
  taskId === undefined ? editableFolder(viewer, folderId) : editableTask(viewer, taskId);

export function dispatchItemEvent(
  { service, user }: Caller,
  event: `${'Comment' | 'Attachment'}${'Added' | 'Deleted'}`,
  subject: Subject,
  payload: Occurrence['payload'],
): void {
  const name = isTask(subject) ? event : (`Folder${event}` as const);
  dispatchEvent(service, user.id, name, subject, payload);
}
