// Comments of tasks and folders. The contract has their HTML, limit, events and `plainText`, and says that a deleted task
// accepts none; the operations are assumed.

import { commentTags, mentionClass, quoteAttributes, quotedEntityTypes } from '#contract/allowed-html.ts';
import { escapeHtml } from '../html/html-template.ts';
import { linkTag, type SanitizeTag, sanitizeHtml, textOf } from '../html/sanitize.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import { requireRecord } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredComment } from '../state/store.ts';
import { isWithin } from '../task/filter-tasks.ts';
import { attach, detach } from './attachments.ts';
import { type ArgumentsOf, type EndpointRequest, type Handlers, idOf, readEach } from './endpoint.ts';
import {
  canSeeItem,
  dispatchItemEvent,
  editableSubject,
  requireSubject,
  subjectIdOf,
} from './item-subject.ts';

// The allowed HTML: line breaks, links, mentions, and quotes of a comment or a description.
const userIdPattern = /^[A-Z0-9]{8}$/;

/** The tag with the attributes of a quote, if it has all that a quote of a comment or of a description needs. */
function quote(attributes: ReadonlyMap<string, string>): string | undefined {
  const { comment, description } = quoteAttributes;
  const mayBeDescription = quotedEntityTypes.includes(attributes.get('data-entrytype') ?? '');
  const candidates = mayBeDescription ? [comment, description] : [comment];
  const names = candidates.find((candidate) => candidate.every((name) => attributes.has(name)));
  const pairs = names?.map((name) => `${name}="${escapeHtml(attributes.get(name) ?? '')}"`);
  return pairs && `<blockquote ${pairs.join(' ')}>`;
}

const sanitizeCommentTag: SanitizeTag = ({ name, attributes }, context) => {
  if (!commentTags.includes(name)) return undefined;
  if (name === 'blockquote') return quote(attributes);
  const userId = attributes.get('rel') ?? '';
  return attributes.get('class') === mentionClass && userIdPattern.test(userId)
    ? `<a class="${mentionClass}" rel="${userId}">`
    : linkTag(attributes.get('href') ?? '', context);
};

/** The text of a sanitized comment, with its line breaks. */
export function commentText(html: string): string {
  return textOf(html, '\n', '');
}

const toRecord = (comment: StoredComment, plain = false): StoredComment =>
  plain ? { ...comment, text: commentText(comment.text) } : comment;

/** The visible comments of the account, or of one task or folder, oldest first. */
function listComments(request: EndpointRequest<ArgumentsOf<'listComments'>>): ApiResult {
  const isOfAccount = request.ids.single.size === 0;
  const { taskId, folderId } = subjectIdOf(request);
  if (!isOfAccount) requireSubject(request, subjectIdOf(request));
  const { plainText, createdDate, updatedDate } = request.arguments;
  const comments = [...request.store.comments.values()].filter(
    (comment) =>
      (isOfAccount || (comment.taskId === taskId && comment.folderId === folderId)) &&
      isWithin(comment.createdDate, createdDate) &&
      isWithin(comment.updatedDate, updatedDate) &&
      canSeeItem(request, comment),
  );
  return paginate(request, comments, (comment) => toRecord(comment, plainText));
}

function requireComment(request: EndpointRequest<unknown>, id: string): StoredComment {
  const comment = requireRecord(request.store.comments, 'Comment', id);
  requireSubject(request, comment);
  return comment;
}

function toHtml(request: EndpointRequest<unknown>, text: string, plain = false): string {
  if (plain) request.assume('comment-plain-text');
  const html = plain ? escapeHtml(text).replace(/\r?\n/g, '<br>') : text;
  return sanitizeHtml(html, request, sanitizeCommentTag);
}

function createComment(request: EndpointRequest<ArgumentsOf<'createTaskComment'>>): ApiResult {
  const { timestamp: date } = request;
  const subjectId = subjectIdOf(request);
  const { text, attachments = [], plainText } = request.arguments;
  const subject = editableSubject(request, subjectId);
  const comment: StoredComment = {
    id: `${subject.accountId}IM${randomText(8)}`,
    ...subjectId,
    authorId: request.user.id,
    text: toHtml(request, text, plainText),
    createdDate: date,
    updatedDate: date,
  };
  request.store.comments.set(comment.id, comment);
  const content = { text: commentText(comment.text), html: comment.text };
  // A comment without text, such as a line break, causes no event.
  if (content.text.trim() !== '')
    dispatchItemEvent(request, 'CommentAdded', subject, { commentId: comment.id, comment: content });
  for (const name of attachments) attach(request, subjectId, { name }, comment.id);
  return { data: [toRecord(comment, plainText)] };
}

export const commentHandlers = {
  listComments,
  listTaskComments: listComments,
  listFolderComments: listComments,
  getComments: (request) =>
    readEach(request, (id) => toRecord(requireComment(request, id), request.arguments.plainText)),
  createTaskComment: createComment,
  createFolderComment: createComment,
  updateComment(request) {
    const { text, plainText } = request.arguments;
    const before = requireComment(request, idOf(request, 'commentId'));
    editableSubject(request, before);
    const comment = { ...before, text: toHtml(request, text, plainText), updatedDate: request.timestamp };
    request.store.comments.set(comment.id, comment);
    return { data: [toRecord(comment, plainText)] };
  },
  deleteComment(request) {
    const comment = requireComment(request, idOf(request, 'commentId'));
    const subject = editableSubject(request, comment);
    request.store.comments.delete(comment.id);
    dispatchItemEvent(request, 'CommentDeleted', subject, { commentId: comment.id });
    for (const { id, commentId } of subject.attachments ?? [])
      if (commentId === comment.id) detach(request, comment, id);
    return { data: [] };
  },
} satisfies Partial<Handlers>;
