// Comments, attachments and timelogs of a task: what creates one, and the record that comes back. The contract shows the
// limits of their texts, the old name of a timelog's date, and the events; everything else here is assumed.

import { day, timestampSchema } from './date.ts';
import { identifier } from './identifier.ts';
import { limit } from './limit.ts';
import { boolean, list, number, object, optional, type TypeOf, text } from './schema.ts';

const anyText = text('text');

export const commentHtml = text('HTML', { max: limit.commentCharacters });

export const commentCreateParameters = {
  text: { schema: commentHtml, meaning: 'The comment, in HTML', required: true },
  attachments: {
    schema: list(text('name', { notEmpty: true })),
    meaning: 'Names of the files to attach',
  },
} as const;

export const commentReadParameters = {
  plainText: { schema: boolean, meaning: 'Without tags', shapesResponse: true },
} as const;

export const commentRecord = object('Comment', {
  id: anyText,
  taskId: optional(identifier('TaskId')),
  authorId: optional(identifier('UserId')),
  text: optional(anyText),
  createdDate: optional(timestampSchema),
  updatedDate: optional(timestampSchema),
});
export type Comment = TypeOf<typeof commentRecord>;

export const attachmentRecord = object('Attachment', {
  id: anyText,
  name: optional(anyText),
  taskId: optional(identifier('TaskId')),
  authorId: optional(identifier('UserId')),
  createdDate: optional(timestampSchema),
  /** In bytes. */
  size: optional(number('bytes')),
  url: optional(anyText),
});
export type Attachment = TypeOf<typeof attachmentRecord>;

export const timelogHours = number('hours', { from: 0, below: 1_000 });
const timelogComment = text('text', { max: limit.commentCharacters });

export const timelogParameters = {
  hours: { schema: timelogHours, meaning: 'Hours worked' },
  trackedDate: { schema: day, meaning: 'Day of the work' },
  date: { schema: day, meaning: 'The old name of trackedDate' },
  comment: { schema: timelogComment, meaning: 'Comment' },
} as const;

export const timelogRecord = object('Timelog', {
  id: anyText,
  taskId: optional(identifier('TaskId')),
  userId: optional(identifier('UserId')),
  hours: optional(number('hours')),
  trackedDate: optional(day),
  createdDate: optional(timestampSchema),
  updatedDate: optional(timestampSchema),
  comment: optional(anyText),
});
export type Timelog = TypeOf<typeof timelogRecord>;
