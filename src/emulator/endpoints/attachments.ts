// Attachments of tasks and folders. The contract says that a deleted task accepts none, and which events they cause; the
// operations are assumed.

import { fileNameHeader, operations } from '#contract/operation.ts';
import { otherOperations } from '#contract/other-operation.ts';
import { text } from '#contract/schema.ts';
import { ErrorResponse, notFound, parameterRequired } from '../http/error-response.ts';
import type { FileResult } from '../http/file-response.ts';
import type { ApiResult } from '../http/response.ts';
import type { StoredAttachment } from '../state/store.ts';
import { attachmentName, attachmentUrl } from '../task/attachment-url.ts';
import { isWithin } from '../task/filter-tasks.ts';
import { attach, detach } from './attach.ts';
import {
  type ArgumentsOf,
  type EndpointRequest,
  type Handlers,
  idOf,
  idsOf,
  pageResult,
} from './endpoint.ts';
import { canSeeSubject, recordOf, requireSubject, type SubjectId } from './item-subject.ts';

const nameParameters = {
  name: { schema: text('name', { notEmpty: true }), meaning: 'Name of the file' },
} as const;

/** The contract's rows take a file; a name alone is the emulator's own short form. */
export const attachOperations = {
  createTaskAttachment: { ...operations.createTaskAttachment, parameters: nameParameters, required: [] },
  createFolderAttachment: {
    ...otherOperations.createFolderAttachment,
    parameters: nameParameters,
    required: [],
  },
};

/** An attachment and what it belongs to. */
interface Found extends SubjectId {
  readonly attachment: StoredAttachment;
}

/** All those of the emulator, of tasks first. */
function* allAttachments({ store }: EndpointRequest<unknown>): Generator<Found> {
  for (const { id, attachments } of store.tasks.values())
    for (const attachment of attachments) yield { taskId: id, attachment };
  for (const { id, attachments = [] } of store.folders.values())
    for (const attachment of attachments) yield { folderId: id, attachment };
}

function toRecord({ workspace }: EndpointRequest<unknown>, { attachment, ...subjectId }: Found): unknown {
  const { url: _, ...rest } = attachment;
  return {
    ...rest,
    name: attachmentName(attachment),
    version: 1,
    ...subjectId,
    url: attachmentUrl(workspace, attachment),
  };
}

function listAttachments(
  request: EndpointRequest<ArgumentsOf<'listAttachments'>>,
  all: Iterable<Found>,
): ApiResult {
  const { createdDate } = request.arguments;
  const found = [...all].filter(
    (one) => isWithin(one.attachment.createdDate, createdDate) && canSeeSubject(request, one),
  );
  return pageResult(request, 'attachments', found, (one) => toRecord(request, one));
}

/** The attachments of one task or folder. Throws an {@link ErrorResponse}. */
function attachmentsOf(request: EndpointRequest<unknown>, subjectId: SubjectId): Found[] {
  const { attachments = [] } = recordOf(requireSubject(request, subjectId));
  return attachments.map((attachment) => ({ ...subjectId, attachment }));
}

function requireAttachment(request: EndpointRequest<unknown>, id: string): Found {
  for (const one of allAttachments(request)) {
    if (one.attachment.id !== id) continue;
    requireSubject(request, one);
    return one;
  }
  throw notFound('Attachment', id);
}

const attachedTo = (
  request: EndpointRequest<{ readonly name?: string | undefined }>,
  subjectId: SubjectId,
): ApiResult => {
  const { file, arguments: given } = request;
  const { name } = given;
  const sent = file ?? (name === undefined ? undefined : { name });
  if (sent === undefined)
    throw parameterRequired(
      `A file is required: its bytes as the body, with its name in ${fileNameHeader}, or as multipart/form-data`,
      'attach-file',
    );
  const attachment = attach(request, subjectId, sent);
  return { kind: 'attachments', data: [toRecord(request, { ...subjectId, attachment })] };
};

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

type AttachName = keyof typeof attachOperations;
type AttachHandler = (request: EndpointRequest<{ readonly name?: string }>) => ApiResult;

export const attachmentHandlers = {
  listAttachments: (request) => listAttachments(request, allAttachments(request)),
  listTaskAttachments: (request) =>
    listAttachments(request, attachmentsOf(request, { taskId: idOf(request, 'taskId') })),
  listFolderAttachments: (request) =>
    listAttachments(request, attachmentsOf(request, { folderId: idOf(request, 'folderId') })),
  getAttachments: (request) => ({
    kind: 'attachments',
    data: idsOf(request, 'attachmentIds').map((id) => toRecord(request, requireAttachment(request, id))),
  }),
  getAttachmentUrl(request) {
    const { attachment } = requireAttachment(request, idOf(request, 'attachmentId'));
    return { kind: 'url', data: [{ url: attachmentUrl(request.workspace, attachment) }] };
  },
  downloadAttachment: download,
  downloadNamedAttachment: download,
  createTaskAttachment: (request) => attachedTo(request, { taskId: idOf(request, 'taskId') }),
  createFolderAttachment: (request) => attachedTo(request, { folderId: idOf(request, 'folderId') }),
  deleteAttachment(request) {
    const { attachment, ...subjectId } = requireAttachment(request, idOf(request, 'attachmentId'));
    detach(request, subjectId, attachment.id);
    return { kind: 'attachments', data: [] };
  },
} satisfies Partial<Omit<Handlers, AttachName>> & Record<AttachName, AttachHandler>;
