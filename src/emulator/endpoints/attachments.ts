// Attachments of tasks: names and sizes without the files. The contract says that a deleted task accepts none, and which events they cause;
// the operations are assumed.

import { formatTimestamp } from '../../contract/date.ts';
import { operations } from '../../contract/operation.ts';
import type { ArgumentsOf } from '../../contract/parameter.ts';
import { text } from '../../contract/schema.ts';
import { readScopes, writeScopes } from '../../contract/scope.ts';
import { ErrorResponse, notFound } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import type { Service, Session } from '../service/service.ts';
import { canSeeTask, requireTask } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredAttachment, StoredTask } from '../state/store.ts';
import { dispatchTaskEvent } from '../webhooks/task-events.ts';
import { assumedOperation, editableTask } from './assumed-operation.ts';
import { type EndpointRequest, idOf } from './endpoint.ts';

const fileName = text('name', { notEmpty: true });
const nameParameters = { name: { schema: fileName, meaning: 'Name of the file' } } as const;
const row = { kind: 'attachments', assumption: 'task-items' } as const;

export const attachmentOperations = {
  listAttachments: assumedOperation({
    ...row,
    method: 'GET',
    path: '/attachments',
    parameters: {},
    scopes: readScopes,
  }),
  /** The contract's row takes a file; a name alone is the emulator's own short form. */
  createTaskAttachment: { ...operations.createTaskAttachment, parameters: nameParameters, required: [] },
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
  { name, size }: Pick<StoredAttachment, 'size'> & { readonly name: string },
  commentId?: string,
): StoredAttachment {
  const { store, clock } = service;
  const task = editableTask(store, session.user, id);
  const attachmentId = `${task.accountId}IY${randomText(8)}`;
  const attachment: StoredAttachment = {
    id: attachmentId,
    url: `https://files.example.com/attachments/${attachmentId}/${encodeURIComponent(name)}`,
    name,
    ...(size === undefined ? {} : { size }),
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

function namedFile({ name }: ArgumentsOf<typeof nameParameters>): { readonly name: string } {
  if (name === undefined)
    throw new ErrorResponse('parameter_required', "Parameter 'name' is required", { because: 'attach-file' });
  return { name };
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
  createTaskAttachment(request: EndpointRequest<ArgumentsOf<typeof nameParameters>>): ApiResult {
    const id = idOf(request, 'taskId');
    const made = attach(request.service, request.session, id, request.file ?? namedFile(request.arguments));
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
