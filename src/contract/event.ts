// The events: the subject of each, the payload beside the common fields, the filter, and which fields have old values.

import { words } from './words.ts';

export type Subject = 'task' | 'folder' | 'project' | 'workItem';
type FilterKey = 'recurrent' | 'customFields';

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

const task = { subject: 'task', idField: 'taskId', payload: [], old: [] } as const;
const folder = { subject: 'folder', idField: 'folderId', payload: [], old: [] } as const;
const project = { ...folder, subject: 'project' } as const;
const workItem = { subject: 'workItem', idField: 'workItemId', payload: [], old: [] } as const;
const statusChange = ['oldStatus', 'status', 'oldCustomStatusId', 'customStatusId'] as const;
const changedStatus = { old: ['oldStatus', 'oldCustomStatusId'] } as const;
const fieldChange = ['customFieldId', 'oldValue', 'value'] as const;
const changedValue = { old: ['oldValue'] } as const;

const rows = {
  TaskCreated: {
    ...task,
    filter: 'recurrent',
    note: 'for task-based work items and submitted request forms too',
  },
  TaskDeleted: task,
  TaskTitleChanged: { ...task, payload: ['oldValue', 'title'], ...changedValue },
  TaskImportanceChanged: { ...task, payload: ['oldValue', 'importance'], ...changedValue },
  TaskStatusChanged: { ...task, payload: statusChange, ...changedStatus },
  TaskDatesChanged: {
    ...task,
    payload: ['oldValue', 'dates'],
    ...changedValue,
    note: 'start, finish, duration or work on weekends',
  },
  TaskParentsAdded: { ...task, payload: ['addedParents'] },
  TaskParentsRemoved: { ...task, payload: ['removedParents'] },
  TaskResponsiblesAdded: { ...task, payload: ['addedResponsibles'] },
  TaskResponsiblesRemoved: { ...task, payload: ['removedResponsibles'] },
  TaskSharedsAdded: { ...task, payload: ['addedShareds'] },
  TaskSharedsRemoved: { ...task, payload: ['removedShareds'] },
  TaskDescriptionChanged: { ...task, note: 'comes about 5 minutes later' },
  TaskCustomFieldChanged: {
    ...task,
    payload: fieldChange,
    ...changedValue,
    filter: 'customFields',
    note: 'values are JSON texts',
  },
  AttachmentAdded: { ...task, payload: ['attachmentId'], note: 'with a comment that carries one too' },
  AttachmentDeleted: { ...task, payload: ['attachmentId'], note: 'with a comment that carries one too' },
  CommentAdded: { ...task, payload: ['commentId', 'comment'], note: 'not for a comment without text' },
  CommentDeleted: { ...task, payload: ['commentId'] },
  CreateFromBlueprintCompleted: { ...workItem, idField: 'createdTaskGroupId', payload: ['blueprintId'] },
  TimelogChanged: { ...task, payload: ['timeTrackerId', 'type', 'hours'], note: 'added, updated or removed' },
  FolderCreated: { ...folder, note: 'a folder, a project or a space' },
  FolderDeleted: { ...folder, note: 'a folder, a project or a space' },
  FolderTitleChanged: { ...folder, payload: ['oldValue', 'title'], ...changedValue },
  FolderParentsAdded: { ...folder, payload: ['addedParents'] },
  FolderParentsRemoved: { ...folder, payload: ['removedParents'] },
  FolderSharedsAdded: { ...folder, payload: ['addedShareds'] },
  FolderSharedsRemoved: { ...folder, payload: ['removedShareds'] },
  FolderDescriptionChanged: folder,
  FolderCommentAdded: { ...folder, payload: ['commentId', 'comment'] },
  FolderCommentDeleted: { ...folder, payload: ['commentId'] },
  FolderAttachmentAdded: { ...folder, payload: ['attachmentId'] },
  FolderAttachmentDeleted: { ...folder, payload: ['attachmentId'] },
  FolderCustomFieldChanged: { ...folder, payload: fieldChange, ...changedValue, filter: 'customFields' },
  ProjectDatesChanged: { ...project, payload: ['oldValue', 'dates'], ...changedValue },
  ProjectOwnersAdded: { ...project, payload: ['addedOwners'] },
  ProjectOwnersRemoved: { ...project, payload: ['removedOwners'] },
  ProjectStatusChanged: {
    ...project,
    idField: 'taskId',
    payload: statusChange,
    ...changedStatus,
    note: "the project's id is the taskId",
  },
  TaskApprovalStatusChanged: { ...task, payload: ['approvalId', 'status'] },
  TaskApprovalDecisionChanged: { ...task, payload: ['approvalId', 'decision'] },
  TaskApprovalDecisionReset: { ...task, payload: ['approvalId', 'approverIds'] },
  FolderApprovalStatusChanged: { ...folder, payload: ['approvalId', 'status'] },
  FolderApprovalDecisionChanged: { ...folder, payload: ['approvalId', 'decision'] },
  FolderApprovalDecisionReset: { ...folder, payload: ['approvalId', 'approverIds'] },
  WorkItemTypeChanged: {
    ...workItem,
    payload: ['oldWorkItemTypeId', 'newWorkItemTypeId', 'newWorkItemTypeTitle'],
  },
  ImportFromFileCompleted: { ...workItem, idField: 'parentTaskGroupId', payload: ['attachmentId'] },
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
  ...words('responsibleIds responsiblePlaceholderIds status dates customStatusId recurrence dependencyIds'),
] as const;
const folderFields = [...anyFields, 'project'] as const;

/** The names that `fields` of a parameterised event may request, by the event's subject. */
export const payloadFields = {
  task: taskFields,
  folder: folderFields,
  project: folderFields,
  workItem: anyFields,
} as const satisfies Record<Subject, readonly string[]>;
