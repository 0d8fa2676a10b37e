// The task: its record, the structures inside it, and the parameters of its update.

import { customFieldEntry, customFieldId, customFieldValue, shownMetadata } from './custom-field-schemas.ts';
import { day, schedulingDate, timestampSchema } from './date.ts';
import { identifier } from './identifier.ts';
import { limit } from './limit.ts';
import { assumed, operation, withNames } from './operation.ts';
import type { ArgumentsOf, Parameter } from './parameter.ts';
import * as s from './schema.ts';
import { words } from './words.ts';

export const taskStatus = s.choice('TaskStatus', ['Active', 'Deferred', 'Completed', 'Cancelled']);
export const taskImportance = s.choice('TaskImportance', ['High', 'Low', 'Normal']);
export const treeScope = s.choice('TreeScope', words('WsTask RbTask RbRoot RbFolder WsFolder WsRoot'));
export const datesType = s.choice('TaskDatesType', ['Milestone', 'Backlog', 'Planned']);
export const effortMode = s.choice('EffortMode', ['Basic', 'Flexible', 'FullTime', 'None']);
export const billingType = s.choice('BillingType', ['Billable', 'NonBillable']);

/** The fields of a task that are only returned if `fields` requests them. */
export const fieldOnRequest = s.choice(
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
const taskField = s.choice('field name', [
  ...fieldOnRequest.choices,
  ...fieldsOfOne,
  ...words('attachmentCount cascadingFieldSettings finance recurrent'),
]);
export type TaskField = s.TypeOf<typeof taskField>;

/** The fields that each response shows without `fields`: a list, a read by id, a change. With followerIds, also followedByMe. */
export const shownTaskFields: Readonly<Record<'list' | 'read' | 'change', ReadonlySet<TaskField>>> = {
  list: new Set(),
  read: new Set(fieldsOfOne),
  change: new Set([...fieldsOfOne, 'attachmentCount']),
};

export const title = s.text('title', { max: limit.titleCharacters, notEmpty: true });
export const description = s.text('HTML', { max: limit.descriptionCharacters });

export const durationMinutes = s.number('minutes', {
  from: 0,
  below: limit.durationMinutesBelow,
  unit: 'minutes',
});

export const taskDates = s.object('TaskDates', {
  type: s.optional(datesType),
  start: s.optional(schedulingDate),
  due: s.optional(schedulingDate),
  duration: s.optional(durationMinutes),
  workOnWeekends: s.optional(s.boolean),
});

export const metadataKey = s.text('metadata key', {
  max: limit.metadataKeyCharacters,
  notEmpty: true,
  pattern: { regex: /^[A-Za-z0-9_-]+$/, description: 'letters, digits, _ and -' },
});
export const metadataValue = s.text('metadata value', { max: limit.metadataValueCharacters });
export const metadataEntry = s.object('Metadata', { key: metadataKey, value: s.nullable(metadataValue) });
// The contract gives effort no range, unlike durations.
const minutes = s.number('minutes', { unit: 'minutes' });
export const dailyAllocation = s.object('DailyAllocation', { date: day, effortMinutes: minutes });
export const responsibleAllocation = s.object('ResponsibleAllocation', {
  dailyAllocation: s.list(dailyAllocation),
  userId: s.optional(identifier('UserId')),
  placeholderId: s.optional(identifier('PlaceholderId')),
});
export const taskEffort = s.object('TaskEffort', {
  mode: effortMode,
  dailyAllocationPercentage: s.optional(s.number('percent', { unit: 'percent per day' })),
  allocatedEffort: s.optional(minutes),
  totalEffort: s.optional(minutes),
  responsibleAllocation: s.optional(s.list(responsibleAllocation)),
});

const money = s.number('amount');
/** In a response: a newer service may have more types and modes. */
const shownDates = s.object('TaskDates', { ...taskDates.shape, type: s.optional(s.openText(datesType)) });
const shownEffort = s.object('TaskEffort', { ...taskEffort.shape, mode: s.openText(effortMode) });

export const taskFinance = s.object('TaskFinance', {
  plannedCost: s.optional(money),
  plannedFees: s.optional(money),
  actualFees: s.optional(money),
  actualCost: s.optional(money),
  currency: s.optional(s.text('currency')),
});
export const cascadingFieldSettings = s.object('CascadingFieldSettings', {
  fieldId: s.optional(customFieldId),
  systemField: s.optional(s.boolean),
  enabledBy: s.optional(identifier('UserId')),
  enabledAt: s.optional(timestampSchema),
});

const ids = {
  users: s.list(identifier('UserId')),
  folders: s.list(identifier('FolderId')),
  tasks: s.list(identifier('TaskId')),
  placeholders: s.list(identifier('PlaceholderId')),
};

/** A task in a response. Only the id is certain; the other members depend on the request. */
export const taskRecord = s.object('Task', {
  id: identifier('TaskId'),
  accountId: s.optional(identifier('AccountId')),
  title: s.optional(s.anyText),
  description: s.optional(s.anyText),
  briefDescription: s.optional(s.anyText),
  status: s.optional(s.openText(taskStatus)),
  importance: s.optional(s.openText(taskImportance)),
  customStatusId: s.optional(identifier('CustomStatusId')),
  customItemTypeId: s.optional(identifier('EntityTypeId')),
  scope: s.optional(s.openText(treeScope)),
  createdDate: s.optional(timestampSchema),
  updatedDate: s.optional(timestampSchema),
  completedDate: s.optional(timestampSchema),
  dates: s.optional(shownDates),
  parentIds: s.optional(ids.folders),
  superParentIds: s.optional(ids.folders),
  superTaskIds: s.optional(ids.tasks),
  subTaskIds: s.optional(ids.tasks),
  dependencyIds: s.optional(s.list(identifier('DependencyId'))),
  authorIds: s.optional(ids.users),
  responsibleIds: s.optional(ids.users),
  responsiblePlaceholderIds: s.optional(ids.placeholders),
  sharedIds: s.optional(ids.users),
  followerIds: s.optional(ids.users),
  followedByMe: s.optional(s.boolean),
  hasAttachments: s.optional(s.boolean),
  attachmentCount: s.optional(s.number('count', { integer: true })),
  recurrent: s.optional(s.boolean),
  priority: s.optional(s.anyText),
  permalink: s.optional(s.anyText),
  metadata: s.optional(shownMetadata),
  customFields: s.optional(s.list(customFieldValue)),
  cascadingFieldSettings: s.optional(s.list(cascadingFieldSettings)),
  finance: s.optional(taskFinance),
  billingType: s.optional(s.openText(billingType)),
  workScheduleId: s.optional(identifier('WorkScheduleId')),
  effortAllocation: s.optional(shownEffort),
});

export type Task = s.TypeOf<typeof taskRecord>;
export type TaskDates = s.TypeOf<typeof taskDates>;
export type ShownDates = s.TypeOf<typeof shownDates>;
export type TaskStatus = s.TypeOf<typeof taskStatus>;

function parameter<T>(schema: s.Schema<T>, meaning: string, more: Partial<Parameter<T>> = {}): Parameter<T> {
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
  follow: parameter(s.boolean, 'Follow the task yourself, or stop following it'),
  priorityBefore: parameter(identifier('TaskId'), 'Move the task before another one in the list'),
  priorityAfter: parameter(identifier('TaskId'), 'Move the task after another one in the list'),
  addSuperTasks: parameter(ids.tasks, 'Make the task a subtask of others'),
  removeSuperTasks: parameter(ids.tasks, 'Stop the task from being a subtask of others'),
  metadata: parameter(
    s.list(metadataEntry, { max: limit.metadataEntries, entryName: 'metadata entries' }),
    'Set metadata entries; null removes one',
  ),
  customFields: parameter(
    s.list(customFieldEntry, { max: limit.customFieldEntries, entryName: 'custom fields' }),
    'Set custom fields by their ids; null removes one',
  ),
  customStatus: parameter(identifier('CustomStatusId'), 'Set the custom status, by its name or id'),
  restore: parameter(s.boolean, 'Restore the task from the recycle bin'),
  effortAllocation: parameter(taskEffort, 'Set the effort mode and the total effort'),
  setResponsibleAllocation: parameter(
    s.list(responsibleAllocation),
    'Set the effort of each assignee for each day',
  ),
  billingType: parameter(billingType, "Set the billing type of the task's timelogs"),
  withInvitations: parameter(s.boolean, 'Include invitations in sharedIds and responsibleIds', {
    shapesResponse: true,
  }),
  convertToCustomItemType: parameter(identifier('EntityTypeId'), 'Convert the task to a custom item type'),
  plainTextCustomFields: parameter(s.boolean, 'Show custom fields without HTML tags', {
    shapesResponse: true,
  }),
  workScheduleId: parameter(identifier('WorkScheduleId'), 'Assign a work schedule'),
  fields: parameter(s.list(fieldOnRequest), 'Also show fields that are otherwise omitted', {
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
      fields: { schema: s.list(taskField), meaning: 'Also return these fields' },
      withInvitations: taskUpdateParameters.withInvitations,
      plainTextCustomFields: taskUpdateParameters.plainTextCustomFields,
    },
    ...tasks,
    ...assumed('task-read'),
  }),
});
