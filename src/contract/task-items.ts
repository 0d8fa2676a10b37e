// Comments, attachments and timelogs. The contract shows the limits of texts, two dates of a timelog and an old name, and the events.

import { day, timestampSchema } from './date.ts';
import { fileToSend } from './file-to-send.ts';
import { identifier } from './identifier.ts';
import { limit } from './limit.ts';
import { assumed, operation, withNames } from './operation.ts';
import * as s from './schema.ts';
import { billingType } from './task.ts';
import { dateRange, taskFilters, timestampRange } from './task-list.ts';

export const commentHtml = s.text('HTML', { max: limit.commentCharacters });

export const commentCreateParameters = {
  text: { schema: commentHtml, meaning: 'The comment, in HTML', required: true },
  attachments: {
    schema: s.list(s.text('name', { notEmpty: true })),
    meaning: 'Names of the files to attach',
  },
  plainText: { schema: s.boolean, meaning: 'The text is not HTML; also return it without tags' },
} as const;

export const commentReadParameters = {
  plainText: { schema: s.boolean, meaning: 'Without tags', shapesResponse: true },
  fields: { schema: s.list(s.choice('field', ['type'])), meaning: 'Further members', shapesResponse: true },
} as const;

const commentFilters = {
  ...commentReadParameters,
  limit: { schema: taskFilters.limit.schema, meaning: 'The most comments to return, the newest' },
  createdDate: { schema: timestampRange, meaning: 'By when it was created' },
  updatedDate: { schema: timestampRange, meaning: 'By when it was last changed' },
} as const;

const commentRecord = s.object('Comment', {
  id: s.anyText,
  ...s.assumedMembers('task-items', {
    authorId: identifier('UserId'),
    text: s.anyText,
    updatedDate: timestampSchema,
    createdDate: timestampSchema,
    taskId: identifier('TaskId'),
    folderId: identifier('FolderId'),
    attachmentIds: s.list(s.anyText),
    /** Regular or Email. */
    type: s.anyText,
  }),
});
export type Comment = s.TypeOf<typeof commentRecord>;

export const attachmentReadParameters = {
  withUrls: { schema: s.boolean, meaning: 'With the URL of each file', shapesResponse: true },
  versions: { schema: s.boolean, meaning: 'With earlier versions', shapesResponse: true },
} as const;

const attachmentFilters = {
  ...attachmentReadParameters,
  createdDate: { schema: timestampRange, meaning: 'By when it was attached' },
} as const;

const attachmentRecord = s.object('Attachment', {
  id: s.anyText,
  ...s.assumedMembers('task-items', {
    authorId: identifier('UserId'),
    name: s.anyText,
    createdDate: timestampSchema,
    version: s.number('version', { integer: true }),
    type: s.anyText,
    contentType: s.anyText,
    /** -1 if the service does not have the bytes. */
    size: s.number('bytes', { integer: true }),
    taskId: identifier('TaskId'),
    folderId: identifier('FolderId'),
    commentId: s.anyText,
    /** The newest version, in the record of an earlier one. */
    currentAttachmentId: s.anyText,
    originVersionId: s.anyText,
    ...{ width: s.number('pixels', { integer: true }), height: s.number('pixels', { integer: true }) },
  }),
  ...s.assumedMembers('file-contents', { url: s.anyText }),
});
export type Attachment = s.TypeOf<typeof attachmentRecord>;

export const timelogHours = s.number('hours', { from: 0, to: 24, assumption: 'item-limits' });
const timelogComment = s.text('text', { max: limit.commentCharacters });

export const timelogParameters = {
  hours: { schema: timelogHours, meaning: 'Hours worked' },
  trackedDate: { schema: day, meaning: 'Day of the work' },
  date: { schema: day, meaning: 'The old name of trackedDate', deprecated: true },
  comment: { schema: timelogComment, meaning: 'Comment' },
  categoryId: { schema: s.anyText, meaning: 'Category' },
} as const;

export const timelogReadParameters = {
  plainText: { schema: s.boolean, meaning: 'Comments without tags', shapesResponse: true },
  fields: {
    schema: s.list(
      s.choice('field', ['exportStatus', 'approvalStatus', 'billingType', 'lockStatus', 'finance']),
    ),
    meaning: 'Further members',
    shapesResponse: true,
  },
} as const;

const timelogFilters = {
  me: { schema: s.boolean, meaning: 'Only your own' },
  descendants: { schema: s.boolean, meaning: 'Include tasks of nested folders: true by default' },
  subTasks: { schema: s.boolean, meaning: 'Include subtasks: true by default' },
  timelogCategories: { schema: s.list(s.anyText), meaning: 'By category' },
  billingTypes: { schema: s.list(billingType), meaning: 'By the billing type of the task' },
  taskIds: { schema: s.list(identifier('TaskId')), meaning: 'Of any of these tasks' },
  trackedDate: { schema: dateRange, meaning: 'By the day of the work' },
  createdDate: { schema: timestampRange, meaning: 'By when it was logged' },
  updatedDate: { schema: timestampRange, meaning: 'By when it was last changed' },
  ...timelogReadParameters,
} as const;

const timelogRecord = s.object('Timelog', {
  id: s.anyText,
  trackedDate: s.optional(day),
  createdDate: s.optional(timestampSchema),
  ...s.assumedMembers('task-items', {
    taskId: identifier('TaskId'),
    userId: identifier('UserId'),
    hours: s.number('hours'),
    updatedDate: timestampSchema,
    comment: s.anyText,
    categoryId: s.anyText,
    exportStatus: s.anyText,
    approvalStatus: s.anyText,
    billingType: s.anyText,
    lockStatus: s.anyText,
    finance: s.anyJson,
  }),
});
export type Timelog = s.TypeOf<typeof timelogRecord>;

export const comments = { ...assumed('task-items'), kind: 'comments', record: commentRecord } as const;
export const newComment = { ...comments, parameters: commentCreateParameters } as const;
export const commentList = { ...comments, pages: 'never', parameters: commentFilters } as const;
export const attachments = { ...comments, kind: 'attachments', record: attachmentRecord } as const;
export const attachmentList = { ...attachments, parameters: attachmentFilters } as const;
export const timelogs = { ...comments, kind: 'timelogs', record: timelogRecord } as const;
export const timelogChange = { ...timelogs, parameters: timelogParameters } as const;
export const timelogList = { ...timelogs, parameters: timelogFilters } as const;

/** A new file, or a new version of one. */
export const newFile = {
  takesFile: true,
  parameters: { file: { schema: fileToSend, meaning: 'The file', required: true } },
  ...attachments,
  ...assumed('attach-file'),
} as const;

export const itemOperations = withNames({
  createTaskComment: operation('POST', '/tasks/{taskId}/comments', newComment),
  createTaskAttachment: operation('POST', '/tasks/{taskId}/attachments', newFile),
  createTaskTimelog: operation('POST', '/tasks/{taskId}/timelogs', timelogChange),
  listTaskComments: operation('GET', '/tasks/{taskId}/comments', commentList),
  listTaskAttachments: operation('GET', '/tasks/{taskId}/attachments', attachmentList),
  listTaskTimelogs: operation('GET', '/tasks/{taskId}/timelogs', timelogList),
});
