// The filters of the requests that list tasks. The contract shows none of these requests: their parameters are an assumption,
// taken from what public integrations of the service send.

import { schedulingDate, timestampSchema } from './date.ts';
import { identifier } from './identifier.ts';
import type { ArgumentsOf } from './parameter.ts';
import { boolean, choice, list, object, optional, text } from './schema.ts';
import { fieldOnRequest, taskStatus } from './task.ts';

export const taskSortField = choice('sort field', [
  'CreatedDate',
  'UpdatedDate',
  'CompletedDate',
  'DueDate',
  'Status',
  'Importance',
  'Title',
]);

/** The fields that a list of tasks may leave out unless `fields` asks for them. */
const listedField = choice('field name', [
  ...fieldOnRequest.choices,
  'authorIds',
  'responsibleIds',
  'sharedIds',
  'parentIds',
  'superParentIds',
  'superTaskIds',
  'subTaskIds',
  'dependencyIds',
  'description',
  'briefDescription',
  'metadata',
  'customFields',
  'hasAttachments',
  'attachmentCount',
  'recurrent',
]);

const timestampRange = object('TimestampRange', {
  start: optional(timestampSchema),
  end: optional(timestampSchema),
});
const dateRange = object('DateRange', { start: optional(schedulingDate), end: optional(schedulingDate) });

export const taskFilters = {
  title: { schema: text('title'), meaning: 'By the whole title' },
  status: { schema: list(taskStatus), meaning: 'By status' },
  responsibles: { schema: list(identifier('UserId')), meaning: 'Assigned to any of these users' },
  updatedDate: { schema: timestampRange, meaning: 'By when it was last changed' },
  dueDate: { schema: dateRange, meaning: 'By its due date, both ends included' },
  sortField: { schema: taskSortField, meaning: 'What to sort by' },
  sortOrder: { schema: choice('sort order', ['Asc', 'Desc']), meaning: 'In which order' },
  fields: { schema: list(listedField), meaning: 'Also return these fields' },
} as const;

/** Of the lists of one folder or space. */
export const placeTaskFilters = {
  descendants: { schema: boolean, meaning: 'Also the tasks of the folders below' },
  ...taskFilters,
} as const;

export type PlaceTaskFilters = ArgumentsOf<typeof placeTaskFilters>;
