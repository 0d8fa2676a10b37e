// Attaches a file to a task or a folder and detaches it, with the events that follow: by itself or with a comment.

import { omitUndefined } from '#omit-undefined.ts';
import type { ReceivedFile } from '../http/multipart.ts';
import type { Service, Session } from '../service/service.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredAttachment } from '../state/store.ts';
import {
  accountOf,
  dispatchItemEvent,
  editableSubject,
  type Subject,
  type SubjectId,
} from './item-subject.ts';

/** `file`: its name alone, where that is all that was sent. */
export function attach(
  service: Service,
  session: Session,
  subjectId: SubjectId,
  file: Partial<ReceivedFile> & { readonly name: string },
  commentId?: string,
): StoredAttachment {
  const { store, clock, fileContents } = service;
  const subject = editableSubject(store, session.user, subjectId);
  const { name, size, contentType, content } = file;
  const attachment: StoredAttachment = {
    id: `${accountOf(subject)}IY${randomText(8)}`,
    name,
    ...omitUndefined({ size, contentType }),
    authorId: session.user.id,
    createdDate: clock.timestamp(),
    ...omitUndefined({ commentId }),
  };
  if (content !== undefined) fileContents.set(attachment.id, content);
  replace(service, subject, (attachments) => [...attachments, attachment]);
  dispatchItemEvent(service, session, 'AttachmentAdded', subject, { attachmentId: attachment.id });
  return attachment;
}

export function detach(service: Service, session: Session, subjectId: SubjectId, attachmentId: string): void {
  const subject = editableSubject(service.store, session.user, subjectId);
  service.fileContents.delete(attachmentId);
  replace(service, subject, (attachments) => attachments.filter(({ id }) => id !== attachmentId));
  dispatchItemEvent(service, session, 'AttachmentDeleted', subject, { attachmentId });
}

function replace(
  { store, scheduleSave }: Service,
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
  scheduleSave();
}
