// What a comment, an attachment or a timelog belongs to: a task or a folder, whether it may be changed, and the events that
// follow.

import type { EventName } from '#contract/event.ts';
import type { Occurrence } from '../dispatch/occurrence.ts';
import { dispatchFolderEvent, dispatchTaskEvent } from '../dispatch/task-events.ts';
import { ErrorResponse } from '../http/error-response.ts';
import type { Service, Session } from '../service/service.ts';
import { canSeeFolder, canSeeTask, isInBin, requireFolder, requireTask } from '../state/access.ts';
import type { Folder, Store, StoredTask, User } from '../state/store.ts';

/** One of the two. */
export interface SubjectId {
  readonly taskId?: string;
  readonly folderId?: string;
}

export type Subject = { readonly task: StoredTask } | { readonly folder: Folder };

export function canSeeSubject(store: Store, user: User, { taskId, folderId }: SubjectId): boolean {
  const task = taskId === undefined ? undefined : store.tasks.get(taskId);
  if (task !== undefined) return canSeeTask(store, user, task);
  const folder = folderId === undefined ? undefined : store.folders.get(folderId);
  return folder !== undefined && canSeeFolder(user, folder);
}

/** The subject, if the user may see it. Throws {@link ErrorResponse}. */
export function requireSubject(store: Store, user: User, { taskId, folderId = '' }: SubjectId): Subject {
  if (taskId !== undefined) return { task: requireTask(store, user, taskId) };
  return { folder: requireFolder(store, user, folderId, 'folder') };
}

/** The task with this id, unless it is in the recycle bin. Throws {@link ErrorResponse}. */
export function editableTask(store: Store, user: User, id: string): StoredTask {
  const task = requireTask(store, user, id);
  if (task.scope === 'RbTask')
    throw new ErrorResponse('access_forbidden', `Task ${id} is in the recycle bin`, 'deleted-task-items');
  return task;
}

/** The folder, project or space with this id, unless it is the recycle bin. Throws {@link ErrorResponse}. */
export function editableFolder(store: Store, user: User, id: string): Folder {
  const folder = requireFolder(store, user, id, 'folder');
  if (folder.kind === 'bin')
    throw new ErrorResponse('access_forbidden', `Folder ${id} is the recycle bin`, 'create-records');
  if (isInBin(store, folder))
    throw new ErrorResponse('access_forbidden', `Folder ${id} is in the recycle bin`, 'change-folder');
  return folder;
}

export function editableSubject(store: Store, user: User, { taskId, folderId = '' }: SubjectId): Subject {
  if (taskId !== undefined) return { task: editableTask(store, user, taskId) };
  return { folder: editableFolder(store, user, folderId) };
}

export const accountOf = (subject: Subject): string =>
  'task' in subject ? subject.task.accountId : subject.folder.accountId;

export const toSubjectId = (subject: Subject): SubjectId =>
  'task' in subject ? { taskId: subject.task.id } : { folderId: subject.folder.id };

/** The event of something that belongs to a task; that of a folder has the same name after `Folder`. */
type ItemEvent = Extract<
  EventName,
  'CommentAdded' | 'CommentDeleted' | 'AttachmentAdded' | 'AttachmentDeleted'
>;

export function dispatchItemEvent(
  service: Service,
  { user }: Pick<Session, 'user'>,
  event: ItemEvent,
  subject: Subject,
  payload: Occurrence['payload'],
): void {
  if ('task' in subject) dispatchTaskEvent(service, user.id, event, subject.task, payload);
  else dispatchFolderEvent(service, user.id, `Folder${event}`, subject.folder, payload);
}
