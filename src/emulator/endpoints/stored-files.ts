// Finds attachments and their bytes, and signs the addresses of files: for a day, anyone may read a file by its address.

import { sign, verify } from '#contract/signature.ts';
import { ErrorResponse, forbidden, notFound } from '../http/error-response.ts';
import { parsePairs, type ReceivedRequest } from '../http/request.ts';
import { type FileResult, fileResponse, type OutgoingResponse } from '../http/response.ts';
import type { Service } from '../service/service.ts';
import type { Store, StoredAttachment } from '../state/store.ts';
import { attachmentName, attachmentUrl, filesPath } from '../task/urls.ts';
import { type Caller, type EndpointRequest, idOf } from './endpoint.ts';
import { requireSubject, type SubjectId } from './item-subject.ts';

export interface LocatedAttachment extends SubjectId {
  readonly attachment: StoredAttachment;
  /** The newest version, of an earlier one. */
  readonly currentAttachmentId?: string;
}

/** The attachments of a task or a folder, each before its earlier versions. */
export function* attachmentsOf(
  subjectId: SubjectId,
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

export function requireAttachment(request: EndpointRequest, id = idOf(request, 'attachmentId')) {
  const located = findAttachment(request.store, id);
  requireSubject(request, located);
  return located;
}

export function readFile(
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

export function signedUrl({ service, workspace }: Caller, attachment: StoredAttachment): string {
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
