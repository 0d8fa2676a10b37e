// Comments of tasks: reading them with and without tags, writing, changing and deleting them. The contract shows the
// HTML, the limit, `plainText`, the events and that a deleted task takes none; the calls themselves are assumed.

import { timestamp } from '../../contract/date.ts';
import { limit } from '../../contract/limit.ts';
import type { ArgumentsOf } from '../../contract/parameter.ts';
import { flag, list, text } from '../../contract/value.ts';
import { seesTask, taskFor } from '../access.ts';
import type { Result } from '../answer.ts';
import { tellOfItem } from '../hooks/tell.ts';
import { pageOf } from '../paging.ts';
import { randomText } from '../random.ts';
import { notFound } from '../refusal.ts';
import { originOf } from '../service.ts';
import type { StoredComment } from '../store.ts';
import { commentText, reduceComment } from '../task/comment-html.ts';
import { assumed, livingTask, read, taskId, write } from './assumed.ts';
import { attach, detach } from './attachments.ts';
import { type Call, idOf } from './call.ts';

const commentId = { commentId: { value: text('comment') } };
const written = {
  text: {
    value: text('HTML', { max: limit.commentCharacters }),
    meaning: 'What it says',
    required: true,
  },
} as const;
const creating = {
  ...written,
  attachments: { value: list(text('name', { notEmpty: true })), meaning: 'Names of files that come with it' },
} as const;
const reading = { plainText: { value: flag, meaning: 'Without tags', shapesAnswer: true } } as const;

const row = { kind: 'comments' } as const;
const ofTask = '/tasks/{taskId}/comments';
const one = '/comments/{commentId}';

export const commentOperations = {
  listComments: assumed({ ...row, method: 'GET', path: '/comments', parameters: reading, scopes: read }),
  listTaskComments: assumed({
    ...row,
    method: 'GET',
    path: ofTask,
    pathParameters: taskId,
    parameters: reading,
    scopes: read,
  }),
  getComment: assumed({
    ...row,
    method: 'GET',
    path: one,
    pathParameters: commentId,
    parameters: reading,
    scopes: read,
  }),
  createTaskComment: assumed({
    ...row,
    method: 'POST',
    path: ofTask,
    pathParameters: taskId,
    parameters: creating,
    scopes: write,
  }),
  updateComment: assumed({
    ...row,
    method: 'PUT',
    path: one,
    pathParameters: commentId,
    parameters: written,
    scopes: write,
  }),
  deleteComment: assumed({
    ...row,
    method: 'DELETE',
    path: one,
    pathParameters: commentId,
    parameters: {},
    scopes: write,
  }),
};

type Reading = Call<ArgumentsOf<typeof reading>>;

const shown = (all: readonly StoredComment[], plain = false): Result => ({
  kind: 'comments',
  data: all.map((comment) => (plain ? { ...comment, text: commentText(comment.text) } : comment)),
});

/** Those that the user may see, oldest first. */
function seen({ service: { store }, session: { user } }: Call<unknown>): StoredComment[] {
  return [...store.comments.values()].filter((comment) => {
    const task = store.tasks.get(comment.taskId);
    return task !== undefined && seesTask(store, user, task);
  });
}

function commentOf(call: Call<unknown>): StoredComment {
  const id = idOf(call, 'commentId');
  const comment = call.service.store.comments.get(id);
  if (comment === undefined) throw notFound('Comment', id);
  taskFor(call.service.store, call.session.user, comment.taskId);
  return comment;
}

const reduced = ({ service, session }: Call<unknown>, html: string) =>
  reduceComment(html, originOf(service, session.account.dataCentre));

export const commentCalls = {
  listComments(call: Reading): Result {
    const { data, beside } = pageOf(seen(call), call.page);
    return { ...shown(data, call.arguments.plainText), beside };
  },
  listTaskComments(call: Reading): Result {
    const { id } = taskFor(call.service.store, call.session.user, idOf(call, 'taskId'));
    const own = seen(call).filter((comment) => comment.taskId === id);
    const { data, beside } = pageOf(own, call.page);
    return { ...shown(data, call.arguments.plainText), beside };
  },
  getComment: (call: Reading): Result => shown([commentOf(call)], call.arguments.plainText),
  createTaskComment(call: Call<ArgumentsOf<typeof creating>>): Result {
    const { service, session } = call;
    const { store, clock } = service;
    const { text: html = '', attachments = [] } = call.arguments;
    const task = livingTask(store, session.user, idOf(call, 'taskId'));
    const date = timestamp(clock.now());
    const comment: StoredComment = {
      id: `${task.accountId}IM${randomText(8)}`,
      taskId: task.id,
      authorId: session.user.id,
      text: reduced(call, html),
      createdDate: date,
      updatedDate: date,
    };
    store.comments.set(comment.id, comment);
    service.changed();
    const said = { text: commentText(comment.text), html: comment.text };
    // A line break, or a picture of someone, is no text.
    if (said.text.trim() !== '')
      tellOfItem(service, session, 'CommentAdded', task, { commentId: comment.id, comment: said });
    for (const name of attachments) attach(service, session, task.id, name, comment.id);
    return shown([comment]);
  },
  updateComment(call: Call<ArgumentsOf<typeof written>>): Result {
    const { service, session } = call;
    const { store, clock } = service;
    const before = commentOf(call);
    livingTask(store, session.user, before.taskId);
    const updatedDate = timestamp(clock.now());
    const comment = { ...before, text: reduced(call, call.arguments.text ?? ''), updatedDate };
    store.comments.set(comment.id, comment);
    service.changed();
    return shown([comment]);
  },
  deleteComment(call: Call<unknown>): Result {
    const { service, session } = call;
    const comment = commentOf(call);
    const task = livingTask(service.store, session.user, comment.taskId);
    service.store.comments.delete(comment.id);
    service.changed();
    tellOfItem(service, session, 'CommentDeleted', task, { commentId: comment.id });
    for (const { id, commentId: of } of task.attachments) {
      if (of === comment.id) detach(service, session, task.id, id);
    }
    return shown([]);
  },
};
