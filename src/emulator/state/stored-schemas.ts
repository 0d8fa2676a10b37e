// The schemas of the records that the emulator stores. The types of the store and the format of a seed follow from them.

import { customFieldText, customFieldType } from '#contract/custom-field-schemas.ts';
import { day, timestampSchema } from '#contract/date.ts';
import { identifier } from '#contract/identifier.ts';
import { limit } from '#contract/limit.ts';
import { projectRecord } from '#contract/project.ts';
import { avatar, role } from '#contract/reference-operations.ts';
import {
  anyJson,
  anyText,
  boolean,
  choice,
  invalidValue,
  list,
  number,
  object,
  optional,
  type Schema,
  text,
} from '#contract/schema.ts';
import { scopes } from '#contract/scope.ts';
import {
  description,
  metadataKey,
  metadataValue,
  taskDates,
  taskRecord,
  taskUpdateParameters,
} from '#contract/task.ts';
import { commentHtml, timelogHours, timelogParameters } from '#contract/task-items.ts';
import { webhookStatus } from '#contract/webhook.ts';
import { webhookCreateParameters } from '#contract/webhook-create.ts';
import { clientId, redirectUri } from './redirect-uri.ts';

const name = text('name', { notEmpty: true });
const id = text('id', {
  pattern: { regex: /^[A-Za-z0-9\-_:.=]{1,256}$/, description: 'letters, digits and - _ : . =' },
});
const userId = identifier('UserId');
const accountId = identifier('AccountId');
const folderIds = list(identifier('FolderId'));
const fieldId = identifier('CustomFieldId');
const users = list(userId);
const fieldValues = list(object('custom field', { id: fieldId, value: customFieldText }), {
  max: limit.customFieldEntries,
  entryName: 'custom fields',
});
const metadata = list(object('Metadata', { key: metadataKey, value: metadataValue }), {
  max: limit.metadataEntries,
  entryName: 'metadata entries',
});

/** A list whose first entry the program uses. */
function nonEmptyList<T>(item: Schema<T>): Schema<readonly [T, ...T[]]> {
  const anyList = list(item);
  const validate = (input: unknown): readonly [T, ...T[]] => {
    const [first, ...rest] = anyList.validate(input);
    if (first === undefined) throw invalidValue(input, 'is an empty list');
    return [first, ...rest];
  };
  return {
    ...anyList,
    validate,
    fromWire: (wire) => validate(anyList.fromWire(wire)),
    readLeniently: validate,
  };
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const { shape: task } = taskRecord;
const { schema: title } = taskUpdateParameters.title;

const fileMembers = {
  id,
  url: optional(anyText),
  name: optional(anyText),
  size: optional(number('bytes', { from: 0 })),
  contentType: optional(anyText),
  authorId: optional(userId),
  createdDate: optional(timestampSchema),
  commentId: optional(id),
  version: optional(number('version', { from: 1, integer: true })),
  originVersionId: optional(id),
};
const attachment = object('attachment', {
  ...fileMembers,
  earlier: optional(list(object('earlier version', fileMembers))),
});

const { type: datesType, duration: _, ...otherDates } = taskDates.shape;
/** In the order of a response. */
const withAnyDuration = object('TaskDates', {
  type: datesType,
  duration: optional(number('minutes', { from: 0, unit: 'minutes' })),
  ...otherDates,
});
/** A duration between a start and a due date may exceed the longest that a request can set. */
const dates: typeof withAnyDuration = {
  ...withAnyDuration,
  validate(input) {
    const { start, due } = withAnyDuration.validate(input);
    return (start === undefined || due === undefined ? taskDates : withAnyDuration).validate(input);
  },
};

const defaultDate = '2026-01-05T09:00:00Z';

/** A member that a seed, the sample or a request for a new task may omit. A snapshot omits it if it has this value. */
const withDefault = <T>({ optional: _, ...schema }: Schema<T>, value: NoInfer<T>) => ({
  ...schema,
  default: value,
});

export const storedSchemas = {
  accounts: object('account', {
    id: accountId,
    name,
    dataCentre: withDefault(choice('data centre', ['US', 'US2', 'EU']), 'US'),
    rootFolderId: identifier('FolderId'),
    recycleBinId: identifier('FolderId'),
    dateFormat: withDefault(anyText, 'dd/MM/yyyy'),
    firstDayOfWeek: withDefault(choice('day', days), 'Mon'),
    workDays: withDefault(nonEmptyList(choice('day', days)), ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']),
    createdDate: withDefault(timestampSchema, defaultDate),
    joinedDate: withDefault(timestampSchema, defaultDate),
  }),
  users: object('user', {
    id: userId,
    accountId,
    firstName: name,
    lastName: withDefault(anyText, ''),
    type: withDefault(choice('type', ['Person', 'Robot']), 'Person'),
    email: anyText,
    title: optional(anyText),
    companyName: optional(anyText),
    phone: optional(anyText),
    role: withDefault(role, 'User'),
    external: optional(boolean),
    admin: withDefault(boolean, false),
    deleted: withDefault(boolean, false),
    /** Still in the account, but cannot sign in. */
    deactivated: optional(boolean),
    /** The lowest licence has only the status Active. */
    licence: withDefault(choice('licence', ['full', 'lowest']), 'full'),
    /** The ids of shared tasks, folders and spaces that this user may not see. */
    denied: withDefault(list(id), []),
  }),
  invitations: object('invitation', {
    id: userId,
    accountId,
    firstName: optional(anyText),
    lastName: optional(anyText),
    email: name,
    status: withDefault(choice('status', ['Pending', 'Accepted', 'Declined', 'Cancelled']), 'Pending'),
    inviterUserId: optional(userId),
    invitationDate: withDefault(timestampSchema, defaultDate),
    resolvedDate: optional(timestampSchema),
    role: withDefault(role, 'User'),
    external: withDefault(boolean, false),
  }),
  groups: object('group', {
    id: userId,
    accountId,
    title: name,
    memberIds: withDefault(users, []),
    parentIds: withDefault(users, []),
    avatar: optional(avatar),
    myTeam: withDefault(boolean, false),
    metadata: withDefault(metadata, []),
  }),
  folders: object('folder', {
    id: identifier('FolderId'),
    accountId,
    title,
    description: optional(description),
    kind: withDefault(choice('kind', ['root', 'bin', 'space', 'folder', 'project']), 'folder'),
    /** Of a space. */
    accessType: optional(choice('access', ['Personal', 'Private', 'Public'])),
    archived: optional(boolean),
    parentIds: folderIds,
    /** Of a deleted folder. */
    formerParentIds: withDefault(folderIds, []),
    sharedIds: nonEmptyList(userId),
    project: optional(projectRecord),
    customItemTypeId: optional(identifier('EntityTypeId')),
    createdDate: optional(timestampSchema),
    updatedDate: optional(timestampSchema),
    workflowId: optional(id),
    metadata: withDefault(metadata, []),
    customFields: withDefault(fieldValues, []),
    customColumnIds: optional(list(fieldId)),
    attachments: optional(list(attachment)),
  }),
  tasks: object('task', {
    id: task.id,
    accountId,
    title,
    description: withDefault(description, ''),
    status: taskUpdateParameters.status.schema,
    importance: withDefault(taskUpdateParameters.importance.schema, 'Normal'),
    customStatusId: identifier('CustomStatusId'),
    customItemTypeId: task.customItemTypeId,
    scope: withDefault(choice('scope', ['WsTask', 'RbTask']), 'WsTask'),
    createdDate: withDefault(timestampSchema, defaultDate),
    updatedDate: timestampSchema,
    completedDate: task.completedDate,
    dates: withDefault(dates, { type: 'Backlog' }),
    parentIds: folderIds,
    formerParentIds: withDefault(folderIds, []),
    /** The folder with which it was deleted, and with which it comes back. */
    deletedWith: optional(identifier('FolderId')),
    superTaskIds: withDefault(list(task.id), []),
    subTaskIds: withDefault(list(task.id), []),
    dependencyIds: withDefault(task.dependencyIds, []),
    authorIds: users,
    responsibleIds: withDefault(users, []),
    responsiblePlaceholderIds: withDefault(task.responsiblePlaceholderIds, []),
    sharedIds: users,
    followerIds: withDefault(users, []),
    recurrent: withDefault(boolean, false),
    priority: anyText,
    metadata: withDefault(metadata, []),
    customFields: withDefault(fieldValues, []),
    cascadingFieldSettings: withDefault(task.cascadingFieldSettings, []),
    billingType: withDefault(taskUpdateParameters.billingType.schema, 'NonBillable'),
    finance: withDefault(task.finance, {}),
    workScheduleId: task.workScheduleId,
    effortAllocation: optional(taskUpdateParameters.effortAllocation.schema),
    attachments: withDefault(list(attachment), []),
  }),
  comments: object('comment', {
    id,
    taskId: optional(task.id),
    folderId: optional(identifier('FolderId')),
    authorId: userId,
    text: commentHtml,
    createdDate: withDefault(timestampSchema, defaultDate),
    updatedDate: timestampSchema,
  }),
  timelogs: object('timelog', {
    id,
    taskId: task.id,
    userId,
    hours: timelogHours,
    createdDate: withDefault(timestampSchema, defaultDate),
    updatedDate: timestampSchema,
    trackedDate: withDefault(day, defaultDate.slice(0, 10)),
    comment: withDefault(timelogParameters.comment.schema, ''),
    categoryId: optional(id),
  }),
  timelogCategories: object('timelog category', {
    id,
    accountId,
    name,
    order: withDefault(number('position'), 0),
    hidden: withDefault(boolean, false),
  }),
  dependencies: object('dependency', {
    id: identifier('DependencyId'),
    accountId,
    predecessorId: task.id,
    successorId: task.id,
    relationType: withDefault(anyText, 'FinishToStart'),
    lagTime: withDefault(number('minutes'), 0),
  }),
  customFields: object('custom field', {
    id: fieldId,
    accountId,
    title: name,
    type: customFieldType,
    values: withDefault(list(anyText), []),
    settings: anyJson,
    sharedIds: withDefault(users, []),
    spaceId: optional(identifier('FolderId')),
  }),
  workflows: object('workflow', {
    id,
    accountId,
    name,
    standard: withDefault(boolean, false),
    hidden: withDefault(boolean, false),
    spaceId: optional(identifier('FolderId')),
    statuses: nonEmptyList(
      object('status', { id: identifier('CustomStatusId'), name, group: taskUpdateParameters.status.schema }),
    ),
  }),
  customItemTypes: object('custom item type', {
    id: identifier('EntityTypeId'),
    accountId,
    title: name,
    relatedType: withDefault(choice('type', ['Task', 'Project']), 'Task'),
  }),
  workSchedules: object('work schedule', { id: identifier('WorkScheduleId'), accountId, title: name }),
  placeholders: object('placeholder', { id: identifier('PlaceholderId'), accountId, title: name }),
  applications: object('application', {
    id: clientId,
    secret: name,
    name,
    callbacks: withDefault(list(redirectUri), []),
    loopback: withDefault(boolean, false),
  }),
  webhooks: object('webhook', {
    id: identifier('WebhookId'),
    accountId,
    applicationId: name,
    authorId: userId,
    hookUrl: name,
    secret: optional(name),
    events: optional(webhookCreateParameters.events.schema),
    parameterisedEvents: optional(webhookCreateParameters.parameterisedEvents.schema),
    customItemTypes: optional(webhookCreateParameters.customItemTypes.schema),
    recursive: withDefault(boolean, false),
    status: withDefault(webhookStatus, 'Active'),
    /** A webhook of the whole account has neither. */
    folderId: optional(identifier('FolderId')),
    spaceId: optional(identifier('FolderId')),
  }),
  tokens: object('token', {
    id: text('token', {
      pattern: { regex: /^[^\s]{8,512}$/, description: '8 to 512 characters without spaces' },
    }),
    use: withDefault(choice('use', ['access']), 'access'),
    applicationId: name,
    userId,
    scopes: withDefault(list(choice('scope', scopes)), scopes),
  }),
} as const;
