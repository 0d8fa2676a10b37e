// Attachments of tasks and folders, alone or with a comment. The contract shows their events, and that a deleted task accepts none.
// The addresses of files are signed: for a day, anyone may read a file by its address.

import { fileNameHeader } from '#contract/operation.ts';
import { sign, verify } from '#contract/signature.ts';
import type { Attachment } from '#contract/task-items.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { ErrorResponse, forbidden, notFound, parameterRequired } from '../http/error-response.ts';
import type { ReceivedFile } from '../http/multipart.ts';
import { paginate } from '../http/paging.ts';
import { parsePairs, type ReceivedRequest } from '../http/request.ts';
import { type FileResult, fileResponse, type OutgoingResponse } from '../http/response.ts';
import type { Service } from '../service/service.ts';
import { isTask, type Subject } from '../state/access.ts';
import type { Store, StoredAttachment } from '../state/store.ts';
import { isWithin } from '../task/filter-tasks.ts';
import { attachmentName, attachmentUrl, filesPath, newId } from '../task/urls.ts';
import { type Caller, type EndpointRequest, type Handlers, idOf, readEach } from './endpoint.ts';
import * as subjects from './item-subject.ts';

function toRecord(caller: Caller, { attachment, ...place }: LocatedAttachment, withUrls = false): Attachment {
  const { url: _, earlier = [], ...rest } = attachment;
  const size = attachment.size ?? caller.service.fileContents.get(attachment.id)?.length;
  return {
    ...{ version: 1, originVersionId: attachment.id, contentType: 'application/octet-stream' },
    ...rest,
    ...{ name: attachmentName(attachment), size: size ?? -1, type: size === undefined ? 'External' : 'Own' },
    ...place,
    ...(withUrls ? { url: signedUrl(caller, attachment) } : {}),
  };
}

const listAttachments: Handlers['listAttachments'] = (request) => {
  const { createdDate, versions, withUrls } = request.arguments;
  const listed = subjects
    .itemsIn(request, allAttachments(request.store))
    .filter(
      ({ attachment, currentAttachmentId }) =>
        (versions || currentAttachmentId === undefined) && isWithin(attachment.createdDate, createdDate),
    );
  return paginate(request, listed, (located) => toRecord(request, located, withUrls));
};

/** `file`: without content if the client sent only a name. */
export function attach(
  caller: Caller,
  subjectId: subjects.SubjectId,
  file: Partial<ReceivedFile> & { readonly name: string },
  members: Pick<StoredAttachment, 'commentId' | 'version' | 'originVersionId' | 'earlier'> = {},
): StoredAttachment {
  const subject = subjects.editableSubject(caller, subjectId);
  const { name, size, contentType, content } = file;
  const attachment: StoredAttachment = {
    id: newId(caller.service, subject.accountId, 'IY', new Map()),
    name,
    ...omitUndefined({ size, contentType }),
    authorId: caller.user.id,
    createdDate: caller.timestamp,
    ...members,
  };
  if (content !== undefined) caller.service.fileContents.set(attachment.id, content);
  const { attachments = [] } = subject;
  const [replaced] = members.earlier ?? [];
  const changed = attachments.map((other) => (other.id === replaced?.id ? attachment : other));
  setAttachments(caller, subject, replaced === undefined ? [...attachments, attachment] : changed);
  subjects.dispatchItemEvent(caller, 'AttachmentAdded', subject, { attachmentId: attachment.id });
  return attachment;
}

export function detach(caller: Caller, subjectId: subjects.SubjectId, attachmentId: string): void {
  const subject = subjects.editableSubject(caller, subjectId);
  caller.service.fileContents.delete(attachmentId);
  const without = <A extends { readonly id: string }>(attachments: readonly A[] = []) =>
    attachments.filter(({ id }) => id !== attachmentId);
  const others = without(subject.attachments).map((one) =>
    one.earlier === undefined ? one : { ...one, earlier: without(one.earlier) },
  );
  setAttachments(caller, subject, others);
  subjects.dispatchItemEvent(caller, 'AttachmentDeleted', subject, { attachmentId });
}

function setAttachments({ store }: Caller, subject: Subject, attachments: readonly StoredAttachment[]): void {
  if (isTask(subject)) store.tasks.set(subject.id, { ...subject, attachments });
  else store.folders.set(subject.id, { ...subject, attachments });
}

function fileOf({ file, arguments: { name } }: EndpointRequest<{ readonly name?: string }>) {
  if (file !== undefined) return file;
  if (name !== undefined) return { name };
  throw parameterRequired(
    `A file is required: its bytes as the body, with its name in ${fileNameHeader}, or as multipart/form-data`,
    'attach-file',
  );
}

const createAttachment: Handlers['createTaskAttachment'] = (request) => {
  const subjectId = subjects.subjectIdOf(request);
  const attachment = attach(request, subjectId, fileOf(request));
  return { data: [toRecord(request, { ...subjectId, attachment })] };
};

function download(request: EndpointRequest): FileResult {
  const { attachment } = requireAttachment(request);
  return readFile(request.service, attachment, request.ids.single.get('name'));
}

function preview(request: EndpointRequest): FileResult {
  const { attachment } = requireAttachment(request);
  const isPicture = attachment.contentType?.startsWith('image/');
  if (isPicture || /\.(?:png|jpe?g|gif)$/i.test(attachmentName(attachment))) return download(request);
  throw notFound('A preview of attachment', attachment.id, 'reference-endpoints');
}

export const attachmentHandlers = {
  listAttachments,
  listTaskAttachments: listAttachments,
  listFolderAttachments: listAttachments,
  getAttachments(request) {
    const { versions } = request.arguments;
    const { data } = readEach(request, (id) => {
      const { attachment, ...place } = requireAttachment(request, id);
      const all = [...attachmentsOf(place, [attachment])];
      return versions ? all : all.slice(0, 1);
    });
    return { data: data.flat().map((located) => toRecord(request, located, request.arguments.withUrls)) };
  },
  getAttachmentUrl(request) {
    const { attachment } = requireAttachment(request);
    return { data: [{ url: signedUrl(request, attachment) }] };
  },
  previewAttachment: preview,
  previewNamedAttachment: preview,
  updateAttachment(request) {
    const { attachment, currentAttachmentId, ...place } = requireAttachment(request);
    const { earlier = [], ...before } = attachment;
    if (currentAttachmentId !== undefined)
      throw forbidden(`${before.id} is an earlier version of ${currentAttachmentId}`, 'reference-endpoints');
    const members = {
      version: (before.version ?? 1) + 1,
      originVersionId: before.originVersionId ?? before.id,
      ...omitUndefined({ commentId: before.commentId }),
      earlier: [before, ...earlier],
    };
    const next = attach(request, place, fileOf(request), members);
    return { data: [toRecord(request, { ...place, attachment: next })] };
  },
  downloadAttachment: download,
  downloadNamedAttachment: download,
  createTaskAttachment: createAttachment,
  createFolderAttachment: createAttachment,
  deleteAttachment(request) {
    const { attachment, ...subjectId } = requireAttachment(request);
    detach(request, subjectId, attachment.id);
    return { data: [] };
  },
} satisfies Partial<Handlers>;

export interface LocatedAttachment extends subjects.SubjectId {
  readonly attachment: StoredAttachment;
  /** The newest version, of an earlier one. */
  readonly currentAttachmentId?: string;
}

/** The attachments of a task or a folder, each before its earlier versions. */
function* attachmentsOf(
  subjectId: subjects.SubjectId,
  attachments: readonly StoredAttachment[] = [],
): Generator<LocatedAttachment> {
  for (const attachment of attachments) {
    yield { ...subjectId, attachment };
    for (const earlier of attachment.earlier ?? [])
      yield { ...subjectId, attachment: earlier, currentAttachmentId: attachment.id };
  }
}

export function* allAttachments({ tasks, folders }: Store): Generator<LocatedAttachment> {
  for (const { id, attachments } of tasks.values()) yield* attachmentsOf({ taskId: id }, attachments);
  for (const { id, attachments } of folders.values()) yield* attachmentsOf({ folderId: id }, attachments);
}

function findAttachment(store: Store, id: string): LocatedAttachment {
  for (const located of allAttachments(store)) if (located.attachment.id === id) return located;
  throw notFound('Attachment', id);
}

function requireAttachment(request: EndpointRequest, id = idOf(request, 'attachmentId')) {
  const located = findAttachment(request.store, id);
  subjects.requireSubject(request, located);
  return located;
}

function readFile(
  { fileContents }: Service,
  attachment: StoredAttachment,
  name = attachmentName(attachment),
): FileResult {
  const content = fileContents.get(attachment.id);
  if (content === undefined)
    throw new ErrorResponse(
      'resource_not_found',
      `The emulator does not have the bytes of attachment ${attachment.id}: it keeps them in memory, up to a limit, until it ends`,
      'file-contents',
    );
  return { file: { name, contentType: attachment.contentType ?? 'application/octet-stream', content } };
}

const dayMs = 86_400_000;

function signedUrl({ service, workspace }: Caller, attachment: StoredAttachment): string {
  const expires = service.clock.now() + dayMs;
  const signature = sign(service.fileContents.key, `${attachment.id} ${expires}`);
  return `${attachmentUrl(workspace, attachment)}?expires=${expires}&signature=${signature}`;
}

/** The response to a request for a signed address, which needs no token. Throws {@link ErrorResponse}. */
export function signedDownload(service: Service, { path, query }: ReceivedRequest): OutgoingResponse {
  const [id = ''] = path.slice(filesPath.length).split('/');
  const { expires = '', signature = '' } = Object.fromEntries(parsePairs(query));
  if (
    !verify(service.fileContents.key, `${id} ${expires}`, signature) ||
    service.clock.now() > Number(expires)
  )
    throw forbidden('The address of this file has expired, or is not signed', 'file-contents');
  return fileResponse(readFile(service, findAttachment(service.store, id).attachment));
}
