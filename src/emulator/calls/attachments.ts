// Attachments of tasks: names, without the files. The contract shows that a deleted task takes none and which events
// they cause; the calls themselves are assumed.

import { timestamp } from '../../contract/date.ts';
import type { ArgumentsOf } from '../../contract/parameter.ts';
import { text } from '../../contract/value.ts';
import { seesTask, taskFor } from '../access.ts';
import type { Result } from '../answer.ts';
import { tellOfItem } from '../hooks/tell.ts';
import { pageOf } from '../paging.ts';
import { randomText } from '../random.ts';
import { notFound } from '../refusal.ts';
import type { Service, Session } from '../service.ts';
import type { StoredAttachment, StoredTask } from '../store.ts';
import { assumed, livingTask, read, taskId, write } from './assumed.ts';
import { type Call, idOf } from './call.ts';

const creating = {
  name: { value: text('name', { notEmpty: true }), meaning: 'Name of the file', required: true },
} as const;
const row = { kind: 'attachments' } as const;
const ofTask = '/tasks/{taskId}/attachments';

export const attachmentOperations = {
  listAttachments: assumed({ ...row, method: 'GET', path: '/attachments', parameters: {}, scopes: read }),
  listTaskAttachments: assumed({
    ...row,
    method: 'GET',
    path: ofTask,
    pathParameters: taskId,
    parameters: {},
    scopes: read,
  }),
  createTaskAttachment: assumed({
    ...row,
    method: 'POST',
    path: ofTask,
    pathParameters: taskId,
    parameters: creating,
    scopes: write,
  }),
  deleteAttachment: assumed({
    ...row,
    method: 'DELETE',
    path: '/attachments/{attachmentId}',
    pathParameters: { attachmentId: { value: text('attachment') } },
    parameters: {},
    scopes: write,
  }),
};

const shown = (taskId: string, all: readonly StoredAttachment[]) =>
  all.map((one) => ({ ...one, name: one.name ?? one.url.split('/').at(-1), taskId }));

/** Puts a file's name to the task, which must be there, and tells of it. */
export function attach(
  service: Service,
  session: Session,
  id: string,
  name: string,
  commentId?: string,
): StoredAttachment {
  const { store, clock } = service;
  const task = livingTask(store, session.user, id);
  const attachmentId = `${task.accountId}IY${randomText(8)}`;
  const attachment: StoredAttachment = {
    id: attachmentId,
    url: `https://files.example.com/attachments/${attachmentId}/${encodeURIComponent(name)}`,
    name,
    authorId: session.user.id,
    createdDate: timestamp(clock.now()),
    ...(commentId === undefined ? {} : { commentId }),
  };
  change(service, session, 'AttachmentAdded', task, attachmentId, [...task.attachments, attachment]);
  return attachment;
}

export function detach(service: Service, session: Session, id: string, attachmentId: string): void {
  const task = livingTask(service.store, session.user, id);
  const left = task.attachments.filter((one) => one.id !== attachmentId);
  change(service, session, 'AttachmentDeleted', task, attachmentId, left);
}

function change(
  service: Service,
  session: Session,
  event: 'AttachmentAdded' | 'AttachmentDeleted',
  task: StoredTask,
  attachmentId: string,
  attachments: readonly StoredAttachment[],
): void {
  const after = { ...task, attachments };
  service.store.tasks.set(task.id, after);
  service.changed();
  tellOfItem(service, session, event, after, { attachmentId });
}

export const attachmentCalls = {
  listAttachments(call: Call<unknown>): Result {
    const { service, session, page } = call;
    const all = [...service.store.tasks.values()]
      .filter((task) => task.attachments.length > 0 && seesTask(service.store, session.user, task))
      .flatMap((task) => shown(task.id, task.attachments));
    const { data, beside } = pageOf(all, page);
    return { kind: 'attachments', data, beside };
  },
  listTaskAttachments(call: Call<unknown>): Result {
    const task = taskFor(call.service.store, call.session.user, idOf(call, 'taskId'));
    const { data, beside } = pageOf(shown(task.id, task.attachments), call.page);
    return { kind: 'attachments', data, beside };
  },
  createTaskAttachment(call: Call<ArgumentsOf<typeof creating>>): Result {
    const id = idOf(call, 'taskId');
    const made = attach(call.service, call.session, id, call.arguments.name ?? '');
    return { kind: 'attachments', data: shown(id, [made]) };
  },
  deleteAttachment(call: Call<unknown>): Result {
    const { service, session } = call;
    const id = idOf(call, 'attachmentId');
    const task = [...service.store.tasks.values()].find(({ attachments }) =>
      attachments.some((one) => one.id === id),
    );
    if (task === undefined) throw notFound('Attachment', id);
    detach(service, session, task.id, id);
    return { kind: 'attachments', data: [] };
  },
};
