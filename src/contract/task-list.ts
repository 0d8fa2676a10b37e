// The filters of the requests that list tasks, as public integrations of the service send them: the contract does not show them.

import { customFieldId, customFieldText } from './custom-field-schemas.ts';
import { anyDate, schedulingDate, timestampSchema } from './date.ts';
import { identifier } from './identifier.ts';
import { assumed, operation, withNames } from './operation.ts';
import type { ArgumentsOf } from './parameter.ts';
import { boolean, choice, list, number, object, optional, type Schema, type TypeOf, text } from './schema.ts';
import {
  billingType,
  datesType,
  metadataKey,
  metadataValue,
  taskImportance,
  taskOperations,
  taskStatus,
  tasks,
} from './task.ts';
import { words } from './words.ts';

export const taskSortField = choice(
  'sort field',
  words('CreatedDate UpdatedDate CompletedDate DueDate Status Importance Title LastAccessDate'),
);

/** From `start` on, and before `end`. */
function range(type: string, date: Schema<string>) {
  return object(type, { start: optional(date), end: optional(date), equal: optional(date) });
}

export const timestampRange = range('TimestampRange', timestampSchema);
const schedulingRange = range('SchedulingRange', schedulingDate);
/** For days outside of a schedule, such as the day of a timelog. */
export const dateRange = range('DateRange', anyDate);
const users = list(identifier('UserId'));

/** Those of a field's value; the default is EqualTo with a value, else IsNotEmpty. */
export const comparator = choice('comparator', [
  ...words('EqualTo IsEmpty IsNotEmpty LessThan LessOrEqualTo GreaterThan GreaterOrEqualTo'),
  ...words('InRange NotInRange Contains StartsWith EndsWith ContainsAll ContainsAny'),
]);

const customFieldFilter = object('CustomFieldFilter', {
  id: customFieldId,
  comparator: optional(comparator),
  value: optional(customFieldText),
  minValue: optional(customFieldText),
  maxValue: optional(customFieldText),
  values: optional(list(customFieldText)),
});
export type CustomFieldFilter = TypeOf<typeof customFieldFilter>;

export const taskFilters = {
  descendants: { schema: boolean, meaning: 'Include tasks of nested folders' },
  subTasks: { schema: boolean, meaning: 'With subtasks, or without' },
  title: { schema: text('title'), meaning: 'By a part of the title, ignoring case' },
  permalink: { schema: text('permalink', { notEmpty: true }), meaning: 'By its link in the web workspace' },
  status: { schema: list(taskStatus), meaning: 'By status' },
  customStatuses: { schema: list(identifier('CustomStatusId')), meaning: 'By custom status' },
  importance: { schema: taskImportance, meaning: 'By importance' },
  type: { schema: datesType, meaning: 'By the type of its dates' },
  customItemTypes: { schema: list(identifier('EntityTypeId')), meaning: 'Of any of these custom item types' },
  billingTypes: { schema: list(billingType), meaning: 'By billing type' },
  authors: { schema: users, meaning: 'Created by any of these users' },
  responsibles: { schema: users, meaning: 'Assigned to any of these users' },
  createdDate: { schema: timestampRange, meaning: 'By when it was created' },
  updatedDate: { schema: timestampRange, meaning: 'By when it was last changed' },
  completedDate: { schema: timestampRange, meaning: 'By when it was completed' },
  startDate: { schema: schedulingRange, meaning: 'By its start' },
  dueDate: { schema: schedulingRange, meaning: 'By its due date' },
  scheduledDate: { schema: schedulingRange, meaning: 'Scheduled within it, in part at least' },
  metadata: {
    schema: object('MetadataFilter', { key: metadataKey, value: optional(metadataValue) }),
    meaning: 'With this metadata entry',
  },
  customField: { schema: customFieldFilter, meaning: 'With this custom field' },
  customFields: { schema: list(customFieldFilter), meaning: 'With all of these custom fields' },
  sortField: { schema: taskSortField, meaning: 'What to sort by' },
  sortOrder: { schema: choice('sort order', ['Asc', 'Desc']), meaning: 'In which order' },
  limit: {
    schema: number('count', { from: 1, below: 1_000_000, integer: true }),
    meaning: 'The most tasks to return',
  },
  fields: taskOperations.getTasks.parameters.fields,
} as const;

export type TaskFilters = ArgumentsOf<typeof taskFilters>;

const taskList = {
  ...assumed('task-lists'),
  filterAssumption: 'task-filters',
  ...tasks,
  parameters: taskFilters,
} as const;

export const taskLists = withNames({
  listTasks: operation('GET', '/tasks', taskList),
  listFolderTasks: operation('GET', '/folders/{folderId}/tasks', taskList),
  listSpaceTasks: operation('GET', '/spaces/{spaceId}/tasks', taskList),
});
