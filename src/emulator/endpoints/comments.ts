// Comments of tasks. The contract shows their HTML, their limit, `plainText` and their events, and that a deleted task accepts
// none; the operations are assumed.

import { formatTimestamp } from '../../contract/date.ts';
import { text } from '../../contract/schema.ts';
import { readScopes, writeScopes } from '../../contract/scope.ts';
import { commentCreateParameters, commentReadParameters } from '../../contract/task-items.ts';
import { commentText, sanitizeComment } from '../html/comment.ts';
import type { ParsedArguments } from '../http/arguments.ts';
import { notFound } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import { originOf } from '../service/service.ts';
import { canSeeTask, requireTask } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredComment } from '../state/store.ts';
import { dispatchTaskEvent } from '../webhooks/task-events.ts';
import { assumedOperation, editableTask } from './assumed-operation.ts';
import { attach, detach } from './attachments.ts';
import { type EndpointRequest, idOf } from './endpoint.ts';

const commentId = { commentId: { schema: text('comment') } };
const writeParameters = { text: commentCreateParameters.text } as const;

const row = { kind: 'comments', assumption: 'task-items' } as const;
const one = '/comments/{commentId}';

export const commentOperations = {
  listComments: assumedOperation({
    ...row,
    method: 'GET',
    path: '/comments',
    parameters: commentReadParameters,
    scopes: readScopes,
  }),
  getComment: assumedOperation({
    ...row,
    method: 'GET',
    path: one,
    pathParameters: commentId,
    parameters: commentReadParameters,
    scopes: readScopes,
  }),
  updateComment: assumedOperation({
    ...row,
    method: 'PUT',
    path: one,
    pathParameters: commentId,
    parameters: writeParameters,
    scopes: writeScopes,
  }),
  deleteComment: assumedOperation({
    ...row,
    method: 'DELETE',
    path: one,
    pathParameters: commentId,
    parameters: {},
    scopes: writeScopes,
  }),
};

type ReadRequest = EndpointRequest<ParsedArguments<typeof commentReadParameters>>;

const commentResult = (all: readonly StoredComment[], plain = false): ApiResult => ({
  kind: 'comments',
  data: all.map((comment) => (plain ? { ...comment, text: commentText(comment.text) } : comment)),
});

/** The comments that the user may see, oldest first. */
function visibleComments({
  service: { store },
  session: { user },
}: EndpointRequest<unknown>): StoredComment[] {
  return [...store.comments.values()].filter((comment) => {
    const task = store.tasks.get(comment.taskId);
    return task !== undefined && canSeeTask(store, user, task);
  });
}

function requireComment(request: EndpointRequest<unknown>): StoredComment {
  const id = idOf(request, 'commentId');
  const comment = request.service.store.comments.get(id);
  if (comment === undefined) throw notFound('Comment', id);
  requireTask(request.service.store, request.session.user, comment.taskId);
  return comment;
}

const sanitize = ({ service, session }: EndpointRequest<unknown>, html: string) =>
  sanitizeComment(html, originOf(service, session.account.dataCentre));

export const commentHandlers = {
  listComments(request: ReadRequest): ApiResult {
    const { data, extra } = paginate(visibleComments(request), request.pageRequest);
    return { ...commentResult(data, request.arguments.plainText), extra };
  },
  listTaskComments(request: ReadRequest): ApiResult {
    const { id } = requireTask(request.service.store, request.session.user, idOf(request, 'taskId'));
    const own = visibleComments(request).filter((comment) => comment.taskId === id);
    const { data, extra } = paginate(own, request.pageRequest);
    return { ...commentResult(data, request.arguments.plainText), extra };
  },
  getComment: (request: ReadRequest): ApiResult =>
    commentResult([requireComment(request)], request.arguments.plainText),
  createTaskComment(request: EndpointRequest<ParsedArguments<typeof commentCreateParameters>>): ApiResult {
    const { service, session } = request;
    const { store, clock } = service;
    const { text: html, attachments = [] } = request.arguments;
    const task = editableTask(store, session.user, idOf(request, 'taskId'));
    const date = formatTimestamp(clock.now());
    const comment: StoredComment = {
      id: `${task.accountId}IM${randomText(8)}`,
      taskId: task.id,
      authorId: session.user.id,
      text: sanitize(request, html),
      createdDate: date,
      updatedDate: date,
    };
    store.comments.set(comment.id, comment);
    service.scheduleSave();
    const content = { text: commentText(comment.text), html: comment.text };
    // A comment without text, such as a line break, causes no event.
    if (content.text.trim() !== '')
      dispatchTaskEvent(service, session.user.id, 'CommentAdded', task, {
        commentId: comment.id,
        comment: content,
      });
    for (const name of attachments) attach(service, session, task.id, { name }, comment.id);
    return commentResult([comment]);
  },
  updateComment(request: EndpointRequest<ParsedArguments<typeof writeParameters>>): ApiResult {
    const { service, session } = request;
    const { store, clock } = service;
    const before = requireComment(request);
    editableTask(store, session.user, before.taskId);
    const updatedDate = formatTimestamp(clock.now());
    const comment = { ...before, text: sanitize(request, request.arguments.text), updatedDate };
    store.comments.set(comment.id, comment);
    service.scheduleSave();
    return commentResult([comment]);
  },
  deleteComment(request: EndpointRequest<unknown>): ApiResult {
    const { service, session } = request;
    const comment = requireComment(request);
    const task = editableTask(service.store, session.user, comment.taskId);
    service.store.comments.delete(comment.id);
    service.scheduleSave();
    dispatchTaskEvent(service, session.user.id, 'CommentDeleted', task, { commentId: comment.id });
    for (const { id, commentId: of } of task.attachments) {
      if (of === comment.id) detach(service, session, task.id, id);
    }
    return commentResult([]);
  },
};
