// Attachments of tasks and folders, alone or with a comment. The contract says that a deleted task accepts none, and which events
// they cause; the operations are assumed.

import { fileNameHeader } from '#contract/operation.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { ErrorResponse, notFound, parameterRequired } from '../http/error-response.ts';
import type { ReceivedFile } from '../http/multipart.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult, FileResult } from '../http/response.ts';
import { isTask, type Subject } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredAttachment } from '../state/store.ts';
import { isWithin } from '../task/filter-tasks.ts';
import { attachmentName, attachmentUrl } from '../task/urls.ts';
import {
  type ArgumentsOf,
  type Caller,
  type EndpointRequest,
  type Handlers,
  idOf,
  readEach,
} from './endpoint.ts';
import {
  canSeeItem,
  dispatchItemEvent,
  editableSubject,
  requireSubject,
  type SubjectId,
  subjectIdOf,
} from './item-subject.ts';

interface LocatedAttachment extends SubjectId {
  readonly attachment: StoredAttachment;
}

/** All attachments in the store, those of tasks first. */
function* allAttachments({ store }: EndpointRequest<unknown>): Generator<LocatedAttachment> {
  for (const { id, attachments } of store.tasks.values())
    for (const attachment of attachments) yield { taskId: id, attachment };
  for (const { id, attachments = [] } of store.folders.values())
    for (const attachment of attachments) yield { folderId: id, attachment };
}

function toRecord(
  { workspace }: EndpointRequest<unknown>,
  { attachment, ...subjectId }: LocatedAttachment,
): unknown {
  const { url: _, ...rest } = attachment;
  return {
    ...rest,
    name: attachmentName(attachment),
    version: 1,
    ...subjectId,
    url: attachmentUrl(workspace, attachment),
  };
}

/** The attachments of the account, or of one task or folder. */
function listAttachments(request: EndpointRequest<ArgumentsOf<'listAttachments'>>): ApiResult {
  const { createdDate } = request.arguments;
  const candidates = request.ids.single.size === 0 ? allAttachments(request) : attachmentsInPath(request);
  const visible = [...candidates].filter(
    (located) => isWithin(located.attachment.createdDate, createdDate) && canSeeItem(request, located),
  );
  return paginate(request, visible, (located) => toRecord(request, located));
}

function attachmentsInPath(request: EndpointRequest<unknown>): LocatedAttachment[] {
  const subjectId = subjectIdOf(request);
  const { attachments = [] } = requireSubject(request, subjectId);
  return attachments.map((attachment) => ({ ...subjectId, attachment }));
}

function requireAttachment(request: EndpointRequest<unknown>, id: string): LocatedAttachment {
  for (const located of allAttachments(request)) {
    if (located.attachment.id !== id) continue;
    requireSubject(request, located);
    return located;
  }
  throw notFound('Attachment', id);
}

/** `file`: without content if the client sent only a name. */
export function attach(
  caller: Caller,
  subjectId: SubjectId,
  file: Partial<ReceivedFile> & { readonly name: string },
  commentId?: string,
): StoredAttachment {
  const subject = editableSubject(caller, subjectId);
  const { name, size, contentType, content } = file;
  const attachment: StoredAttachment = {
    id: `${subject.accountId}IY${randomText(8)}`,
    name,
    ...omitUndefined({ size, contentType }),
    authorId: caller.user.id,
    createdDate: caller.timestamp,
    ...omitUndefined({ commentId }),
  };
  if (content !== undefined) caller.service.fileContents.set(attachment.id, content);
  replace(caller, subject, (attachments) => [...attachments, attachment]);
  dispatchItemEvent(caller, 'AttachmentAdded', subject, { attachmentId: attachment.id });
  return attachment;
}

export function detach(caller: Caller, subjectId: SubjectId, attachmentId: string): void {
  const subject = editableSubject(caller, subjectId);
  caller.service.fileContents.delete(attachmentId);
  replace(caller, subject, (attachments) => attachments.filter(({ id }) => id !== attachmentId));
  dispatchItemEvent(caller, 'AttachmentDeleted', subject, { attachmentId });
}

function replace(
  { store }: Caller,
  subject: Subject,
  change: (attachments: readonly StoredAttachment[]) => readonly StoredAttachment[],
): void {
  const attachments = change(subject.attachments ?? []);
  if (isTask(subject)) store.tasks.set(subject.id, { ...subject, attachments });
  else store.folders.set(subject.id, { ...subject, attachments });
}

function createAttachment(request: EndpointRequest<ArgumentsOf<'createTaskAttachment'>>): ApiResult {
  const subjectId = subjectIdOf(request);
  const { name } = request.arguments;
  const file = request.file ?? (name === undefined ? undefined : { name });
  if (file === undefined)
    throw parameterRequired(
      `A file is required: its bytes as the body, with its name in ${fileNameHeader}, or as multipart/form-data`,
      'attach-file',
    );
  const attachment = attach(request, subjectId, file);
  return { data: [toRecord(request, { ...subjectId, attachment })] };
}

function download(request: EndpointRequest<unknown>): FileResult {
  const id = idOf(request, 'attachmentId');
  const { attachment } = requireAttachment(request, id);
  const content = request.service.fileContents.get(id);
  if (content === undefined)
    throw new ErrorResponse(
      'resource_not_found',
      `The emulator does not have the bytes of attachment ${id}: it keeps them in memory, up to a limit, until it ends`,
      'file-contents',
    );
  const name = request.ids.single.get('name') ?? attachmentName(attachment);
  return { file: { name, contentType: attachment.contentType ?? 'application/octet-stream', content } };
}

export const attachmentHandlers = {
  listAttachments,
  listTaskAttachments: listAttachments,
  listFolderAttachments: listAttachments,
  getAttachments: (request) => readEach(request, (id) => toRecord(request, requireAttachment(request, id))),
  getAttachmentUrl(request) {
    const { attachment } = requireAttachment(request, idOf(request, 'attachmentId'));
    return { data: [{ url: attachmentUrl(request.workspace, attachment) }] };
  },
  downloadAttachment: download,
  downloadNamedAttachment: download,
  createTaskAttachment: createAttachment,
  createFolderAttachment: createAttachment,
  deleteAttachment(request) {
    const { attachment, ...subjectId } = requireAttachment(request, idOf(request, 'attachmentId'));
    detach(request, subjectId, attachment.id);
    return { data: [] };
  },
} satisfies Partial<Handlers>;
