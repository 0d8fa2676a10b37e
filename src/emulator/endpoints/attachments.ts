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

/** An attachment, and the id of its task or folder. */
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

function listAttachments(
  request: EndpointRequest<ArgumentsOf<'listAttachments'>>,
  candidates: Iterable<LocatedAttachment>,
): ApiResult {
  const { createdDate } = request.arguments;
  const visible = [...candidates].filter(
    (located) => isWithin(located.attachment.createdDate, createdDate) && canSeeSubject(request, located),
  );
  return pageResult(request, 'attachments', visible, (located) => toRecord(request, located));
}

/** The attachments of one task or folder. Throws an {@link ErrorResponse}. */
function attachmentsOf(request: EndpointRequest<unknown>, subjectId: SubjectId): LocatedAttachment[] {
  const { attachments = [] } = recordOf(requireSubject(request, subjectId));
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

type AttachRequest = EndpointRequest<{ readonly name?: string | undefined }>;

function createAttachment(request: AttachRequest, subjectId: SubjectId): ApiResult {
  const { name } = request.arguments;
  const file = request.file ?? (name === undefined ? undefined : { name });
  if (file === undefined)
    throw parameterRequired(
      `A file is required: its bytes as the body, with its name in ${fileNameHeader}, or as multipart/form-data`,
      'attach-file',
    );
  const attachment = attach(request, subjectId, file);
  return { kind: 'attachments', data: [toRecord(request, { ...subjectId, attachment })] };
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

type AttachName = keyof typeof attachOperations;

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
  createTaskAttachment: (request) => createAttachment(request, { taskId: idOf(request, 'taskId') }),
  createFolderAttachment: (request) => createAttachment(request, { folderId: idOf(request, 'folderId') }),
  deleteAttachment(request) {
    const { attachment, ...subjectId } = requireAttachment(request, idOf(request, 'attachmentId'));
    detach(request, subjectId, attachment.id);
    return { kind: 'attachments', data: [] };
  },
} satisfies Partial<Omit<Handlers, AttachName>> & Record<AttachName, (request: AttachRequest) => ApiResult>;
