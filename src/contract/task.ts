// The task: its record, the structures inside it, and the parameters of its update.

import { customFieldEntry, customFieldId, customFieldValue, shownMetadata } from './custom-field-schemas.ts';
import { day, schedulingDate, timestampSchema } from './date.ts';
import { identifier } from './identifier.ts';
import { limit } from './limit.ts';
import { assumed, operation, withNames } from './operation.ts';
import type { ArgumentsOf, Parameter } from './parameter.ts';
import {
  anyText,
  boolean,
  choice,
  list,
  nullable,
  number,
  object,
  openText,
  optional,
  type Schema,
  type TypeOf,
  text,
} from './schema.ts';
import { words } from './words.ts';

export const taskStatus = choice('TaskStatus', ['Active', 'Deferred', 'Completed', 'Cancelled']);
export const taskImportance = choice('TaskImportance', ['High', 'Low', 'Normal']);
export const treeScope = choice('TreeScope', words('WsTask RbTask RbRoot RbFolder WsFolder WsRoot'));
export const datesType = choice('TaskDatesType', ['Milestone', 'Backlog', 'Planned']);
export const effortMode = choice('EffortMode', ['Basic', 'Flexible', 'FullTime', 'None']);
export const billingType = choice('BillingType', ['Billable', 'NonBillable']);

/** The fields of a task that are only returned if `fields` requests them. */
export const fieldOnRequest = choice(
  'field name',
  words('billingType workScheduleId effortAllocation responsiblePlaceholderIds'),
);

/** The fields of a task that a response about one task shows, and a list only if `fields` requests them. */
const fieldsOfOne = [
  ...words('description briefDescription parentIds superParentIds sharedIds responsibleIds authorIds'),
  ...words('hasAttachments followerIds superTaskIds subTaskIds dependencyIds metadata customFields'),
  'customItemTypeId',
] as const;

/** All members but what every response shows. */
const taskField = choice('field name', [
  ...fieldOnRequest.choices,
  ...fieldsOfOne,
  ...words('attachmentCount cascadingFieldSettings finance recurrent'),
]);
export type TaskField = TypeOf<typeof taskField>;

/** The fields that each response shows without `fields`: a list, a read by id, a change. With followerIds, also followedByMe. */
export const shownTaskFields: Readonly<Record<'list' | 'read' | 'change', ReadonlySet<TaskField>>> = {
  list: new Set(),
  read: new Set(fieldsOfOne),
  change: new Set([...fieldsOfOne, 'attachmentCount']),
};

export const title = text('title', { max: limit.titleCharacters, notEmpty: true });
export const description = text('HTML', { max: limit.descriptionCharacters });

export const durationMinutes = number('minutes', {
  from: 0,
  below: limit.durationMinutesBelow,
  unit: 'minutes',
});

export const taskDates = object('TaskDates', {
  type: optional(datesType),
  start: optional(schedulingDate),
  due: optional(schedulingDate),
  duration: optional(durationMinutes),
  workOnWeekends: optional(boolean),
});

export const metadataKey = text('metadata key', {
  max: limit.metadataKeyCharacters,
  notEmpty: true,
  pattern: { regex: /^[A-Za-z0-9_-]+$/, description: 'letters, digits, _ and -' },
});
export const metadataValue = text('metadata value', { max: limit.metadataValueCharacters });
export const metadataEntry = object('Metadata', { key: metadataKey, value: nullable(metadataValue) });
// The contract gives effort no range, unlike durations.
const minutes = number('minutes', { unit: 'minutes' });
export const dailyAllocation = object('DailyAllocation', { date: day, effortMinutes: minutes });
export const responsibleAllocation = object('ResponsibleAllocation', {
  dailyAllocation: list(dailyAllocation),
  userId: optional(identifier('UserId')),
  placeholderId: optional(identifier('PlaceholderId')),
});
export const taskEffort = object('TaskEffort', {
  mode: effortMode,
  dailyAllocationPercentage: optional(number('percent', { unit: 'percent per day' })),
  allocatedEffort: optional(minutes),
  totalEffort: optional(minutes),
  responsibleAllocation: optional(list(responsibleAllocation)),
});

const money = number('amount');
/** In a response: a newer service may have more types and modes. */
const shownDates = object('TaskDates', { ...taskDates.shape, type: optional(openText(datesType)) });
const shownEffort = object('TaskEffort', { ...taskEffort.shape, mode: openText(effortMode) });

export const taskFinance = object('TaskFinance', {
  plannedCost: optional(money),
  plannedFees: optional(money),
  actualFees: optional(money),
  actualCost: optional(money),
  currency: optional(text('currency')),
});
export const cascadingFieldSettings = object('CascadingFieldSettings', {
  fieldId: optional(customFieldId),
  systemField: optional(boolean),
  enabledBy: optional(identifier('UserId')),
  enabledAt: optional(timestampSchema),
});

const ids = {
  users: list(identifier('UserId')),
  folders: list(identifier('FolderId')),
  tasks: list(identifier('TaskId')),
  placeholders: list(identifier('PlaceholderId')),
};

/** A task in a response. Only the id is certain; the other members depend on the request. */
export const taskRecord = object('Task', {
  id: identifier('TaskId'),
  accountId: optional(identifier('AccountId')),
  title: optional(anyText),
  description: optional(anyText),
  briefDescription: optional(anyText),
  status: optional(openText(taskStatus)),
  importance: optional(openText(taskImportance)),
  customStatusId: optional(identifier('CustomStatusId')),
  customItemTypeId: optional(identifier('EntityTypeId')),
  scope: optional(openText(treeScope)),
  createdDate: optional(timestampSchema),
  updatedDate: optional(timestampSchema),
  completedDate: optional(timestampSchema),
  dates: optional(shownDates),
  parentIds: optional(ids.folders),
  superParentIds: optional(ids.folders),
  superTaskIds: optional(ids.tasks),
  subTaskIds: optional(ids.tasks),
  dependencyIds: optional(list(identifier('DependencyId'))),
  authorIds: optional(ids.users),
  responsibleIds: optional(ids.users),
  responsiblePlaceholderIds: optional(ids.placeholders),
  sharedIds: optional(ids.users),
  followerIds: optional(ids.users),
  followedByMe: optional(boolean),
  hasAttachments: optional(boolean),
  attachmentCount: optional(number('count', { integer: true })),
  recurrent: optional(boolean),
  priority: optional(anyText),
  permalink: optional(anyText),
  metadata: optional(shownMetadata),
  customFields: optional(list(customFieldValue)),
  cascadingFieldSettings: optional(list(cascadingFieldSettings)),
  finance: optional(taskFinance),
  billingType: optional(openText(billingType)),
  workScheduleId: optional(identifier('WorkScheduleId')),
  effortAllocation: optional(shownEffort),
});

export type Task = TypeOf<typeof taskRecord>;
export type TaskDates = TypeOf<typeof taskDates>;
export type ShownDates = TypeOf<typeof shownDates>;
export type TaskStatus = TypeOf<typeof taskStatus>;

function parameter<T>(schema: Schema<T>, meaning: string, more: Partial<Parameter<T>> = {}): Parameter<T> {
  return { schema, meaning, ...more };
}

/** The parameters of PUT /tasks/{taskId}, in the contract's order. */
export const taskUpdateParameters = {
  title: parameter(title, 'Set the title'),
  description: parameter(description, 'Set the description, in HTML'),
  status: parameter(taskStatus, 'Set the status'),
  importance: parameter(taskImportance, 'Set the importance'),
  dates: parameter(taskDates, 'Set the dates, or the type of task', {
    rules:
      'With a start, a due date or a duration must also be sent. A due date alone makes the task a milestone. With a new duration, start and due must be sent again even if unchanged; otherwise the dates are cleared. One day is 480 minutes.',
  }),
  addParents: parameter(ids.folders, 'Add the task to folders (not to the recycle bin)'),
  removeParents: parameter(ids.folders, 'Remove the task from folders (not from the recycle bin)'),
  addShareds: parameter(ids.users, 'Share the task with users'),
  removeShareds: parameter(ids.users, 'Stop sharing the task with users'),
  addResponsibles: parameter(ids.users, 'Assign users'),
  removeResponsibles: parameter(ids.users, 'Unassign users'),
  addResponsiblePlaceholders: parameter(ids.placeholders, 'Assign placeholders'),
  removeResponsiblePlaceholders: parameter(ids.placeholders, 'Unassign placeholders'),
  addFollowers: parameter(ids.users, 'Add followers'),
  follow: parameter(boolean, 'Follow the task yourself, or stop following it'),
  priorityBefore: parameter(identifier('TaskId'), 'Move the task before another one in the list'),
  priorityAfter: parameter(identifier('TaskId'), 'Move the task after another one in the list'),
  addSuperTasks: parameter(ids.tasks, 'Make the task a subtask of others'),
  removeSuperTasks: parameter(ids.tasks, 'Stop the task from being a subtask of others'),
  metadata: parameter(
    list(metadataEntry, { max: limit.metadataEntries, entryName: 'metadata entries' }),
    'Set metadata entries; null removes one',
  ),
  customFields: parameter(
    list(customFieldEntry, { max: limit.customFieldEntries, entryName: 'custom fields' }),
    'Set custom fields by their ids; null removes one',
  ),
  customStatus: parameter(identifier('CustomStatusId'), 'Set the custom status, by its name or id'),
  restore: parameter(boolean, 'Restore the task from the recycle bin'),
  effortAllocation: parameter(taskEffort, 'Set the effort mode and the total effort'),
  setResponsibleAllocation: parameter(
    list(responsibleAllocation),
    'Set the effort of each assignee for each day',
  ),
  billingType: parameter(billingType, "Set the billing type of the task's timelogs"),
  withInvitations: parameter(boolean, 'Include invitations in sharedIds and responsibleIds', {
    shapesResponse: true,
  }),
  convertToCustomItemType: parameter(identifier('EntityTypeId'), 'Convert the task to a custom item type'),
  plainTextCustomFields: parameter(boolean, 'Show custom fields without HTML tags', { shapesResponse: true }),
  workScheduleId: parameter(identifier('WorkScheduleId'), 'Assign a work schedule'),
  fields: parameter(list(fieldOnRequest), 'Also show fields that are otherwise omitted', {
    shapesResponse: true,
  }),
} as const;

export type TaskUpdate = ArgumentsOf<typeof taskUpdateParameters>;
export type TaskUpdateParameter = keyof typeof taskUpdateParameters;

export const taskUpdateParameterNames = Object.keys(taskUpdateParameters) as readonly TaskUpdateParameter[];

export function isTaskUpdateParameter(name: string): name is TaskUpdateParameter {
  return Object.hasOwn(taskUpdateParameters, name);
}

/** For `kind` and `record` of an operation that responds with tasks. */
export const tasks = { kind: 'tasks', record: taskRecord } as const;

export const taskOperations = withNames({
  updateTask: operation('PUT', '/tasks/{taskId}', { parameters: taskUpdateParameters, ...tasks }),
  getTasks: operation('GET', '/tasks/{taskIds}', {
    parameters: {
      fields: { schema: list(taskField), meaning: 'Also return these fields' },
      withInvitations: taskUpdateParameters.withInvitations,
      plainTextCustomFields: taskUpdateParameters.plainTextCustomFields,
    },
    ...tasks,
    ...assumed('task-read'),
  }),
});
