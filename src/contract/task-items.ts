// Comments and attachments of tasks and folders, and timelogs of tasks: their parameters and records. The contract shows the limits
// of texts, two dates of a timelog and an old name, and the events. Everything else here is assumed.

import { day, timestampSchema } from './date.ts';
import { fileToSend } from './file-to-send.ts';
import { identifier } from './identifier.ts';
import { limit } from './limit.ts';
import { assumed, operation, withNames } from './operation.ts';
import {
  anyText,
  assumed as assumedMember,
  assumedMembers,
  boolean,
  list,
  number,
  object,
  optional,
  type TypeOf,
  text,
} from './schema.ts';
import { dateRange, timestampRange } from './task-list.ts';

export const commentHtml = text('HTML', { max: limit.commentCharacters });

export const commentCreateParameters = {
  text: { schema: commentHtml, meaning: 'The comment, in HTML', required: true },
  attachments: {
    schema: list(text('name', { notEmpty: true })),
    meaning: 'Names of the files to attach',
  },
  plainText: { schema: boolean, meaning: 'The text is not HTML; also return it without tags' },
} as const;

export const commentReadParameters = {
  plainText: { schema: boolean, meaning: 'Without tags', shapesResponse: true },
} as const;

export const commentFilters = {
  ...commentReadParameters,
  createdDate: { schema: timestampRange, meaning: 'By when it was created' },
  updatedDate: { schema: timestampRange, meaning: 'By when it was last changed' },
} as const;

export const commentUpdateParameters = {
  text: commentCreateParameters.text,
  plainText: commentCreateParameters.plainText,
} as const;

export const commentRecord = object('Comment', {
  id: anyText,
  ...assumedMembers('task-items', {
    taskId: identifier('TaskId'),
    folderId: identifier('FolderId'),
    authorId: identifier('UserId'),
    text: anyText,
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  }),
});
export type Comment = TypeOf<typeof commentRecord>;

export const attachmentReadParameters = {
  withUrls: { schema: boolean, meaning: 'With the URL of each file', shapesResponse: true },
  versions: { schema: boolean, meaning: 'With earlier versions', shapesResponse: true },
} as const;

export const attachmentFilters = {
  ...attachmentReadParameters,
  createdDate: { schema: timestampRange, meaning: 'By when it was attached' },
} as const;

export const attachmentRecord = object('Attachment', {
  id: anyText,
  ...assumedMembers('task-items', {
    name: anyText,
    contentType: anyText,
    version: number('version', { integer: true }),
    taskId: identifier('TaskId'),
    folderId: identifier('FolderId'),
    commentId: anyText,
    authorId: identifier('UserId'),
    createdDate: timestampSchema,
    size: number('bytes', { integer: true }),
  }),
  url: assumedMember(anyText, 'file-contents'),
});
export type Attachment = TypeOf<typeof attachmentRecord>;

export const timelogHours = number('hours', { from: 0, below: 1_000 });
const timelogComment = text('text', { max: limit.commentCharacters });

export const timelogParameters = {
  hours: { schema: timelogHours, meaning: 'Hours worked' },
  trackedDate: { schema: day, meaning: 'Day of the work' },
  date: { schema: day, meaning: 'The old name of trackedDate', deprecated: true },
  comment: { schema: timelogComment, meaning: 'Comment' },
} as const;

export const timelogFilters = {
  me: { schema: boolean, meaning: 'Only your own' },
  trackedDate: { schema: dateRange, meaning: 'By the day of the work' },
  createdDate: { schema: timestampRange, meaning: 'By when it was logged' },
  updatedDate: { schema: timestampRange, meaning: 'By when it was last changed' },
  plainText: { schema: boolean, meaning: 'Comments without tags', shapesResponse: true },
} as const;

export const folderTimelogFilters = {
  descendants: { schema: boolean, meaning: 'Include tasks of nested folders' },
  ...timelogFilters,
} as const;

export const timelogRecord = object('Timelog', {
  id: anyText,
  taskId: assumedMember(identifier('TaskId'), 'task-items'),
  userId: assumedMember(identifier('UserId'), 'task-items'),
  hours: assumedMember(number('hours'), 'task-items'),
  trackedDate: optional(day),
  createdDate: optional(timestampSchema),
  updatedDate: assumedMember(timestampSchema, 'task-items'),
  comment: assumedMember(anyText, 'task-items'),
});
export type Timelog = TypeOf<typeof timelogRecord>;

export const comments = { ...assumed('task-items'), kind: 'comments', record: commentRecord } as const;
export const attachments = {
  ...assumed('task-items'),
  kind: 'attachments',
  record: attachmentRecord,
} as const;
export const timelogs = { ...assumed('task-items'), kind: 'timelogs', record: timelogRecord } as const;

export const itemOperations = withNames({
  createTaskComment: operation('POST', '/tasks/{taskId}/comments', {
    parameters: commentCreateParameters,
    ...comments,
  }),
  createTaskAttachment: operation('POST', '/tasks/{taskId}/attachments', {
    takesFile: true,
    parameters: { file: { schema: fileToSend, meaning: 'The file', required: true } },
    ...attachments,
    ...assumed('attach-file'),
  }),
  createTaskTimelog: operation('POST', '/tasks/{taskId}/timelogs', {
    parameters: timelogParameters,
    ...timelogs,
  }),
  listTaskComments: operation('GET', '/tasks/{taskId}/comments', {
    parameters: commentReadParameters,
    ...comments,
  }),
  listTaskAttachments: operation('GET', '/tasks/{taskId}/attachments', attachments),
  listTaskTimelogs: operation('GET', '/tasks/{taskId}/timelogs', timelogs),
});
