// Comments of tasks and folders. The contract has their HTML, limit, events and `plainText`; the operations are assumed.

import { commentTags, isMention, quoteNames } from '#contract/allowed-html.ts';
import { formatTimestamp } from '#contract/date.ts';
import type { Comment } from '#contract/task-items.ts';
import { textOf } from '#html-reader/read-html.ts';
import { escapeHtml } from '#web/html-template.ts';
import {
  escapeCommentText,
  type LinkContext,
  linkTag,
  type SanitizeTag,
  sanitizeHtml,
} from '../html/sanitize.ts';
import { forbidden } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import { findSubject, requireRecord, type Viewer } from '../state/access.ts';
import type { StoredComment } from '../state/store.ts';
import { isWithin } from '../task/filter-tasks.ts';
import { newId } from '../task/urls.ts';
import { attach, detach } from './attachments.ts';
import { type ArgumentsOf, type EndpointRequest, type Handlers, idOf, readEach } from './endpoint.ts';
import { dispatchItemEvent, editableSubject, itemsIn, requireSubject, subjectIdOf } from './item-subject.ts';

function quote(attributes: ReadonlyMap<string, string>): string | undefined {
  const pairs = quoteNames(attributes)?.map((name) => `${name}="${escapeHtml(attributes.get(name) ?? '')}"`);
  return pairs && `<blockquote ${pairs.join(' ')}>`;
}

const sanitizeCommentTag: SanitizeTag = ({ name, attributes }, context) => {
  if (!commentTags.includes(name)) return undefined;
  if (name === 'blockquote') return quote(attributes);
  const { class: mention, rel = '' } = Object.fromEntries(attributes);
  return isMention(attributes)
    ? `<a class="${mention}" rel="${escapeCommentText(rel)}">`
    : linkTag(attributes.get('href') ?? '', context);
};

export const sanitizeComment = (html: string, context: LinkContext): string =>
  sanitizeHtml(html, context, sanitizeCommentTag, escapeCommentText);

export const commentText = (html: string): string => textOf(html, '\n', '');

type Shape = ArgumentsOf<'getComments'>;

const toRecord = (comment: StoredComment, { plainText, fields }: Shape): Comment => ({
  ...comment,
  ...(plainText ? { text: commentText(comment.text) } : {}),
  ...(fields?.includes('type') ? { type: 'Regular' } : {}),
});

/** With what only the record of one comment has. */
function toWholeRecord({ store }: Viewer, comment: StoredComment, shape: Shape): Comment {
  const { attachments = [] } = findSubject(store, comment.taskId ?? comment.folderId ?? '') ?? {};
  const own = attachments.filter(({ commentId }) => commentId === comment.id);
  return { ...toRecord(comment, shape), attachmentIds: own.map(({ id }) => id) };
}

const minuteMs = 60_000;
const weekMs = 10_080 * minuteMs;

/** The visible comments of the account, or of one task or folder, newest first. */
const listComments: Handlers['listComments'] = (request) => {
  const { createdDate } = request.arguments;
  let { updatedDate, limit } = request.arguments;
  if (request.ids.single.size === 0) {
    request.assume('item-lists');
    limit ??= 1000;
    if (createdDate === undefined)
      updatedDate ??= { start: formatTimestamp(request.service.clock.now() - weekMs) };
  }
  const comments = itemsIn(request, request.store.comments.values()).filter(
    (comment) => isWithin(comment.createdDate, createdDate) && isWithin(comment.updatedDate, updatedDate),
  );
  comments.reverse().sort((a, b) => b.createdDate.localeCompare(a.createdDate));
  return paginate(request, comments.slice(0, limit), (comment) => toRecord(comment, request.arguments));
};

function requireComment(request: EndpointRequest, id: string): StoredComment {
  const comment = requireRecord(request.store.comments, 'Comment', id);
  requireSubject(request, comment);
  return comment;
}

function toHtml(request: EndpointRequest, text: string, plain = false): string {
  if (plain) request.assume('comment-plain-text');
  const html = plain ? escapeHtml(text).replace(/\r?\n/g, '<br>') : text;
  return sanitizeComment(html, request);
}

const createComment: Handlers['createTaskComment'] = (request) => {
  const { timestamp: date } = request;
  const subjectId = subjectIdOf(request);
  const { text, attachments = [], plainText } = request.arguments;
  const subject = editableSubject(request, subjectId);
  const comment: StoredComment = {
    id: newId(request.service, subject.accountId, 'IM', request.store.comments),
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
  for (const name of attachments) attach(request, subjectId, { name }, { commentId: comment.id });
  return { data: [toWholeRecord(request, comment, request.arguments)] };
};

export const commentHandlers = {
  listComments,
  listTaskComments: listComments,
  listFolderComments: listComments,
  getComments: (request) =>
    readEach(request, (id) => toWholeRecord(request, requireComment(request, id), request.arguments)),
  createTaskComment: createComment,
  createFolderComment: createComment,
  updateComment(request) {
    const { text, plainText } = request.arguments;
    const before = requireComment(request, idOf(request, 'commentId'));
    editableSubject(request, before);
    if (request.service.clock.now() - Date.parse(before.createdDate) > 5 * minuteMs)
      throw forbidden(`Comment ${before.id} is older than 5 minutes`, 'item-limits');
    const comment = { ...before, text: toHtml(request, text, plainText) };
    request.store.comments.set(comment.id, comment);
    return { data: [toWholeRecord(request, comment, request.arguments)] };
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
