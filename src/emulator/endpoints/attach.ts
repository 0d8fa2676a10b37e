// Attaches a file to a task or a folder, alone or with a comment, and detaches it. Both dispatch an event.

import { omitUndefined } from '#omit-undefined.ts';
import type { ReceivedFile } from '../http/multipart.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredAttachment } from '../state/store.ts';
import type { Caller } from './endpoint.ts';
import {
  dispatchItemEvent,
  editableSubject,
  recordOf,
  type Subject,
  type SubjectId,
} from './item-subject.ts';

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
    id: `${recordOf(subject).accountId}IY${randomText(8)}`,
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
  { store, service }: Caller,
  subject: Subject,
  change: (attachments: readonly StoredAttachment[]) => readonly StoredAttachment[],
): void {
  if ('task' in subject) {
    const { task } = subject;
    store.tasks.set(task.id, { ...task, attachments: change(task.attachments) });
  } else {
    const { folder } = subject;
    store.folders.set(folder.id, { ...folder, attachments: change(folder.attachments ?? []) });
  }
  service.scheduleSave();
}
