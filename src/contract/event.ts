// The events: the subject of each, the payload beside the common fields, the filter, and which fields have old values.

export type Subject = 'task' | 'folder' | 'project' | 'workItem';
export type FilterKey = 'recurrent' | 'customFields';

export interface EventRow {
  readonly subject: Subject;
  readonly idField: 'taskId' | 'folderId' | 'workItemId' | 'createdTaskGroupId' | 'parentTaskGroupId';
  /** Beside the common fields and the id. */
  readonly payload: readonly string[];
  /** The fields of `payload` that hold previous values. */
  readonly old: readonly string[];
  readonly filter?: FilterKey;
  readonly note?: string;
}

type EventOptions = Partial<Pick<EventRow, 'old' | 'filter' | 'note'>>;

/** A row with literal types, from which the type of the event follows. */
interface TypedRow<S extends Subject, I extends EventRow['idField'], F extends string> extends EventRow {
  readonly subject: S;
  readonly idField: I;
  readonly payload: readonly F[];
}

function event<S extends Subject, I extends EventRow['idField'], F extends string = never>(
  subject: S,
  idField: I,
  payload: readonly F[],
  options: EventOptions = {},
): TypedRow<S, I, F> {
  return { subject, idField, payload, old: [], ...options };
}
const task = <F extends string = never>(payload: readonly F[], options?: EventOptions) =>
  event('task', 'taskId', payload, options);
const folder = <F extends string = never>(payload: readonly F[], options?: EventOptions) =>
  event('folder', 'folderId', payload, options);
const project = <F extends string = never>(payload: readonly F[], options?: EventOptions) =>
  event('project', 'folderId', payload, options);

const statusChange = ['oldStatus', 'status', 'oldCustomStatusId', 'customStatusId'] as const;
const changedStatus = { old: ['oldStatus', 'oldCustomStatusId'] };
const fieldChange = ['customFieldId', 'oldValue', 'value'] as const;
const changedValue = { old: ['oldValue'] };

const rows = {
  TaskCreated: task([], {
    filter: 'recurrent',
    note: 'for task-based work items and submitted request forms too',
  }),
  TaskDeleted: task([]),
  TaskTitleChanged: task(['oldValue', 'title'], changedValue),
  TaskImportanceChanged: task(['oldValue', 'importance'], changedValue),
  TaskStatusChanged: task(statusChange, changedStatus),
  TaskDatesChanged: task(['oldValue', 'dates'], {
    ...changedValue,
    note: 'start, finish, duration or work on weekends',
  }),
  TaskParentsAdded: task(['addedParents']),
  TaskParentsRemoved: task(['removedParents']),
  TaskResponsiblesAdded: task(['addedResponsibles']),
  TaskResponsiblesRemoved: task(['removedResponsibles']),
  TaskSharedsAdded: task(['addedShareds']),
  TaskSharedsRemoved: task(['removedShareds']),
  TaskDescriptionChanged: task([], { note: 'comes about 5 minutes later' }),
  TaskCustomFieldChanged: task(fieldChange, {
    ...changedValue,
    filter: 'customFields',
    note: 'values are JSON texts',
  }),
  AttachmentAdded: task(['attachmentId'], { note: 'with a comment that carries one too' }),
  AttachmentDeleted: task(['attachmentId'], { note: 'with a comment that carries one too' }),
  CommentAdded: task(['commentId', 'comment'], { note: 'not for a comment without text' }),
  CommentDeleted: task(['commentId']),
  CreateFromBlueprintCompleted: event('workItem', 'createdTaskGroupId', ['blueprintId']),
  TimelogChanged: task(['timeTrackerId', 'type', 'hours'], { note: 'added, updated or removed' }),
  FolderCreated: folder([], { note: 'a folder, a project or a space' }),
  FolderDeleted: folder([], { note: 'a folder, a project or a space' }),
  FolderTitleChanged: folder(['oldValue', 'title'], changedValue),
  FolderParentsAdded: folder(['addedParents']),
  FolderParentsRemoved: folder(['removedParents']),
  FolderSharedsAdded: folder(['addedShareds']),
  FolderSharedsRemoved: folder(['removedShareds']),
  FolderDescriptionChanged: folder([]),
  FolderCommentAdded: folder(['commentId', 'comment']),
  FolderCommentDeleted: folder(['commentId']),
  FolderAttachmentAdded: folder(['attachmentId']),
  FolderAttachmentDeleted: folder(['attachmentId']),
  FolderCustomFieldChanged: folder(fieldChange, { ...changedValue, filter: 'customFields' }),
  ProjectDatesChanged: project(['oldValue', 'dates'], changedValue),
  ProjectOwnersAdded: project(['addedOwners']),
  ProjectOwnersRemoved: project(['removedOwners']),
  ProjectStatusChanged: event('project', 'taskId', statusChange, {
    ...changedStatus,
    note: "the project's id is the taskId",
  }),
  TaskApprovalStatusChanged: task(['approvalId', 'status']),
  TaskApprovalDecisionChanged: task(['approvalId', 'decision']),
  TaskApprovalDecisionReset: task(['approvalId', 'approverIds']),
  FolderApprovalStatusChanged: folder(['approvalId', 'status']),
  FolderApprovalDecisionChanged: folder(['approvalId', 'decision']),
  FolderApprovalDecisionReset: folder(['approvalId', 'approverIds']),
  WorkItemTypeChanged: event('workItem', 'workItemId', [
    'oldWorkItemTypeId',
    'newWorkItemTypeId',
    'newWorkItemTypeTitle',
  ]),
  ImportFromFileCompleted: event('workItem', 'parentTaskGroupId', ['attachmentId']),
} as const;

export type EventName = keyof typeof rows;

export type IdFieldOf<E extends EventName> = (typeof rows)[E]['idField'];

export type PayloadFieldOf<E extends EventName> = (typeof rows)[E]['payload'][number];

/** The names that `fields` of a parameterised event may request: the members of the payload's `fields`. */
export type ExtraFieldOf<E extends EventName> = (typeof payloadFields)[(typeof rows)[E]['subject']][number];

export const events: Readonly<Record<EventName, EventRow>> = rows;

// The table has exactly these keys.
export const eventNames = Object.keys(rows) as EventName[];

/** The fields of every payload, besides the `idField` of the row. */
export const commonPayloadFields = ['webhookId', 'eventAuthorId', 'eventType', 'lastUpdatedDate'] as const;

const anyFields = ['title', 'customFields', 'customItemTypeId'] as const;
const taskFields = [
  ...anyFields,
  'responsibleIds',
  'responsiblePlaceholderIds',
  'status',
  'dates',
  'customStatusId',
  'recurrence',
  'dependencyIds',
] as const;
const folderFields = [...anyFields, 'project'] as const;

/** The names that `fields` of a parameterised event may request, by the event's subject. */
export const payloadFields = {
  task: taskFields,
  folder: folderFields,
  project: folderFields,
  workItem: anyFields,
} as const satisfies Record<Subject, readonly string[]>;
