// Comments of tasks and folders. The contract shows their HTML, their limit, `plainText` and their events, and that a deleted
// task accepts none; the operations are assumed.

import { commentText, sanitizeComment } from '../html/comment.ts';
import { escapeHtml } from '../html/escape.ts';
import { notFound } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { originOf } from '../service/service.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredComment } from '../state/store.ts';
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
import {
  accountOf,
  canSeeSubject,
  dispatchItemEvent,
  editableSubject,
  requireSubject,
  type SubjectId,
  toSubjectId,
} from './item-subject.ts';

const toRecord = (comment: StoredComment, plain = false): StoredComment =>
  plain ? { ...comment, text: commentText(comment.text) } : comment;

const commentResult = (all: readonly StoredComment[], plain = false): ApiResult => ({
  kind: 'comments',
  data: all.map((comment) => toRecord(comment, plain)),
});

/** The comments in the account that the user may see, or of one task or folder; oldest first. */
function listComments(
  request: EndpointRequest<ArgumentsOf<'listComments'>>,
  isOf: (comment: StoredComment) => boolean = () => true,
): ApiResult {
  const { store } = request.service;
  const { plainText, createdDate, updatedDate } = request.arguments;
  const found = [...store.comments.values()].filter(
    (comment) =>
      isOf(comment) &&
      isWithin(comment.createdDate, createdDate) &&
      isWithin(comment.updatedDate, updatedDate) &&
      canSeeSubject(store, request.session.user, comment),
  );
  return pageResult(request, 'comments', found, (comment) => toRecord(comment, plainText));
}

function requireComment({ service, session }: EndpointRequest<unknown>, id: string): StoredComment {
  const comment = service.store.comments.get(id);
  if (comment === undefined) throw notFound('Comment', id);
  requireSubject(service.store, session.user, comment);
  return comment;
}

/** The HTML to store. A plain text keeps its line breaks. */
function toHtml({ service, session, assume }: EndpointRequest<unknown>, text: string, plain = false): string {
  const html = plain ? escapeHtml(text).replace(/\r?\n/g, '<br>') : text;
  return sanitizeComment(html, { workspace: originOf(service, session.account.dataCentre), assume });
}

function createComment(
  request: EndpointRequest<ArgumentsOf<'createTaskComment'>>,
  subjectId: SubjectId,
): ApiResult {
  const { service, session } = request;
  const { store, clock } = service;
  const { text, attachments = [], plainText } = request.arguments;
  const subject = editableSubject(store, session.user, subjectId);
  const date = clock.timestamp();
  const comment: StoredComment = {
    id: `${accountOf(subject)}IM${randomText(8)}`,
    ...toSubjectId(subject),
    authorId: session.user.id,
    text: toHtml(request, text, plainText),
    createdDate: date,
    updatedDate: date,
  };
  store.comments.set(comment.id, comment);
  service.scheduleSave();
  const content = { text: commentText(comment.text), html: comment.text };
  // A comment without text, such as a line break, causes no event.
  if (content.text.trim() !== '')
    dispatchItemEvent(service, session, 'CommentAdded', subject, { commentId: comment.id, comment: content });
  for (const name of attachments) attach(service, session, subjectId, { name }, comment.id);
  return commentResult([comment], plainText);
}

export const commentHandlers = {
  listComments: (request) => listComments(request),
  listTaskComments(request) {
    const id = idOf(request, 'taskId');
    requireSubject(request.service.store, request.session.user, { taskId: id });
    return listComments(request, ({ taskId }) => taskId === id);
  },
  listFolderComments(request) {
    const id = idOf(request, 'folderId');
    requireSubject(request.service.store, request.session.user, { folderId: id });
    return listComments(request, ({ folderId }) => folderId === id);
  },
  getComments: (request) =>
    commentResult(
      idsOf(request, 'commentIds').map((id) => requireComment(request, id)),
      request.arguments.plainText,
    ),
  createTaskComment: (request) => createComment(request, { taskId: idOf(request, 'taskId') }),
  createFolderComment: (request) => createComment(request, { folderId: idOf(request, 'folderId') }),
  updateComment(request) {
    const { service, session } = request;
    const { store, clock } = service;
    const { text, plainText } = request.arguments;
    const before = requireComment(request, idOf(request, 'commentId'));
    editableSubject(store, session.user, before);
    const updatedDate = clock.timestamp();
    const comment = { ...before, text: toHtml(request, text, plainText), updatedDate };
    store.comments.set(comment.id, comment);
    service.scheduleSave();
    return commentResult([comment], plainText);
  },
  deleteComment(request) {
    const { service, session } = request;
    const comment = requireComment(request, idOf(request, 'commentId'));
    const subject = editableSubject(service.store, session.user, comment);
    service.store.comments.delete(comment.id);
    service.scheduleSave();
    dispatchItemEvent(service, session, 'CommentDeleted', subject, { commentId: comment.id });
    const { attachments = [] } = 'task' in subject ? subject.task : subject.folder;
    for (const { id, commentId } of attachments) {
      if (commentId === comment.id) detach(service, session, comment, id);
    }
    return commentResult([]);
  },
} satisfies Partial<Handlers>;
