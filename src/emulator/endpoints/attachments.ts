// Attachments of tasks: names without files. The contract says that a deleted task accepts none, and which events they cause;
// the operations are assumed.

import { formatTimestamp } from '../../contract/date.ts';
import { text } from '../../contract/schema.ts';
import { readScopes, writeScopes } from '../../contract/scope.ts';
import type { ParsedArguments } from '../http/arguments.ts';
import { notFound } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import type { Service, Session } from '../service/service.ts';
import { canSeeTask, requireTask } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredAttachment, StoredTask } from '../state/store.ts';
import { dispatchTaskEvent } from '../webhooks/task-events.ts';
import { assumedOperation, editableTask, taskIdInPath } from './assumed-operation.ts';
import { type EndpointRequest, idOf } from './endpoint.ts';

const createParameters = {
  name: { schema: text('name', { notEmpty: true }), meaning: 'Name of the file', required: true },
} as const;
const row = { kind: 'attachments' } as const;
const ofTask = '/tasks/{taskId}/attachments';

export const attachmentOperations = {
  listAttachments: assumedOperation({
    ...row,
    method: 'GET',
    path: '/attachments',
    parameters: {},
    scopes: readScopes,
  }),
  listTaskAttachments: assumedOperation({
    ...row,
    method: 'GET',
    path: ofTask,
    pathParameters: taskIdInPath,
    parameters: {},
    scopes: readScopes,
  }),
  createTaskAttachment: assumedOperation({
    ...row,
    method: 'POST',
    path: ofTask,
    pathParameters: taskIdInPath,
    parameters: createParameters,
    scopes: writeScopes,
  }),
  deleteAttachment: assumedOperation({
    ...row,
    method: 'DELETE',
    path: '/attachments/{attachmentId}',
    pathParameters: { attachmentId: { schema: text('attachment') } },
    parameters: {},
    scopes: writeScopes,
  }),
};

const toAttachmentRecords = (taskId: string, all: readonly StoredAttachment[]) =>
  all.map((one) => ({ ...one, name: one.name ?? one.url.split('/').at(-1), taskId }));

/** Adds an attachment to a task, and dispatches the event. */
export function attach(
  service: Service,
  session: Session,
  id: string,
  name: string,
  commentId?: string,
): StoredAttachment {
  const { store, clock } = service;
  const task = editableTask(store, session.user, id);
  const attachmentId = `${task.accountId}IY${randomText(8)}`;
  const attachment: StoredAttachment = {
    id: attachmentId,
    url: `https://files.example.com/attachments/${attachmentId}/${encodeURIComponent(name)}`,
    name,
    authorId: session.user.id,
    createdDate: formatTimestamp(clock.now()),
    ...(commentId === undefined ? {} : { commentId }),
  };
  replaceAttachments(service, session, 'AttachmentAdded', task, attachmentId, [
    ...task.attachments,
    attachment,
  ]);
  return attachment;
}

export function detach(service: Service, session: Session, id: string, attachmentId: string): void {
  const task = editableTask(service.store, session.user, id);
  const left = task.attachments.filter((one) => one.id !== attachmentId);
  replaceAttachments(service, session, 'AttachmentDeleted', task, attachmentId, left);
}

function replaceAttachments(
  service: Service,
  session: Session,
  event: 'AttachmentAdded' | 'AttachmentDeleted',
  task: StoredTask,
  attachmentId: string,
  attachments: readonly StoredAttachment[],
): void {
  const after = { ...task, attachments };
  service.store.tasks.set(task.id, after);
  service.scheduleSave();
  dispatchTaskEvent(service, session.user.id, event, after, { attachmentId });
}

export const attachmentHandlers = {
  listAttachments(request: EndpointRequest<unknown>): ApiResult {
    const { service, session, pageRequest } = request;
    const all = [...service.store.tasks.values()]
      .filter((task) => task.attachments.length > 0 && canSeeTask(service.store, session.user, task))
      .flatMap((task) => toAttachmentRecords(task.id, task.attachments));
    const { data, extra } = paginate(all, pageRequest);
    return { kind: 'attachments', data, extra };
  },
  listTaskAttachments(request: EndpointRequest<unknown>): ApiResult {
    const task = requireTask(request.service.store, request.session.user, idOf(request, 'taskId'));
    const { data, extra } = paginate(toAttachmentRecords(task.id, task.attachments), request.pageRequest);
    return { kind: 'attachments', data, extra };
  },
  createTaskAttachment(request: EndpointRequest<ParsedArguments<typeof createParameters>>): ApiResult {
    const id = idOf(request, 'taskId');
    const made = attach(request.service, request.session, id, request.arguments.name);
    return { kind: 'attachments', data: toAttachmentRecords(id, [made]) };
  },
  deleteAttachment(request: EndpointRequest<unknown>): ApiResult {
    const { service, session } = request;
    const id = idOf(request, 'attachmentId');
    const task = [...service.store.tasks.values()].find(({ attachments }) =>
      attachments.some((one) => one.id === id),
    );
    if (task === undefined) throw notFound('Attachment', id);
    detach(service, session, task.id, id);
    return { kind: 'attachments', data: [] };
  },
};
