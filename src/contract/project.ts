// The project of a folder: in its record, when the folder is created, and when it is changed.

import { day, timestampSchema } from './date.ts';
import { identifier } from './identifier.ts';
import { anyText, list, nullable, number, object, optional, type TypeOf } from './schema.ts';

const users = optional(list(identifier('UserId')));
const dates = { startDate: optional(day), endDate: optional(day) };
const settings = {
  customStatusId: optional(identifier('CustomStatusId')),
  /** A word, of which the record shows the custom status alone. */
  status: optional(anyText),
  contractType: optional(anyText),
  budget: optional(number('amount', { from: 0, integer: true })),
};

export const projectRecord = object('Project', {
  authorId: optional(identifier('UserId')),
  ownerIds: users,
  ...dates,
  createdDate: optional(timestampSchema),
  completedDate: optional(timestampSchema),
  ...settings,
});

export const newProject = object('NewProject', { ownerIds: users, ...dates, ...settings });

export const projectUpdate = object('ProjectUpdate', {
  ownersAdd: users,
  ownersRemove: users,
  startDate: optional(nullable(day)),
  endDate: optional(nullable(day)),
  ...settings,
});
export type ProjectUpdate = TypeOf<typeof projectUpdate>;
