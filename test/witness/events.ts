// Every kind of event: what each payload carries beside the common fields, which field names its subject,
// what filters it, which fields hold old values, and for some a task update that causes it at once. Which other change
// causes which event is left to the emulator's tests.

import { words } from './words.ts';

export interface EventRow {
  readonly name: string;
  /** The contract's column of extra fields, in its order. For some events it repeats the subject's id. */
  readonly payload: readonly string[];
  /** The field that names the subject; null where the contract does not tell which it is. */
  readonly idField: 'taskId' | 'folderId' | 'workItemId' | null;
  /** The member of a parameterised event that narrows it, beside `fields`. */
  readonly filterKey: string | null;
  /** The fields of the payload that the contract counts as old values. */
  readonly old: readonly string[];
  /** The query of a task update that causes it, of the first task of the emulator's sample. */
  readonly causedBy?: string;
}

/** What only some events have stands last. */
type Written = readonly [
  name: string,
  payload: readonly string[],
  idField: EventRow['idField'],
  more?: Partial<Pick<EventRow, 'filterKey' | 'old' | 'causedBy'>>,
];

const written: readonly Written[] = [
  ['TaskCreated', ['taskId'], 'taskId', { filterKey: 'recurrent' }],
  ['TaskDeleted', ['taskId'], 'taskId'],
  ['TaskTitleChanged', ['oldValue', 'title'], 'taskId', { old: ['oldValue'], causedBy: 'title=Another' }],
  [
    'TaskImportanceChanged',
    ['oldValue', 'importance'],
    'taskId',
    { old: ['oldValue'], causedBy: 'importance=High' },
  ],
  [
    'TaskStatusChanged',
    ['oldStatus', 'status', 'oldCustomStatusId', 'customStatusId'],
    'taskId',
    { old: ['oldStatus', 'oldCustomStatusId'], causedBy: 'status=Completed' },
  ],
  [
    'TaskDatesChanged',
    ['oldValue', 'dates'],
    'taskId',
    { old: ['oldValue'], causedBy: 'dates=%7B%22type%22%3A%22Backlog%22%7D' },
  ],
  ['TaskParentsAdded', ['addedParents'], 'taskId'],
  ['TaskParentsRemoved', ['removedParents'], 'taskId'],
  [
    'TaskResponsiblesAdded',
    ['addedResponsibles'],
    'taskId',
    { causedBy: 'addResponsibles=%5B%22KUAAADAQ%22%5D' },
  ],
  [
    'TaskResponsiblesRemoved',
    ['removedResponsibles'],
    'taskId',
    { causedBy: 'removeResponsibles=%5B%22KUAABENQ%22%5D' },
  ],
  ['TaskSharedsAdded', ['addedShareds'], 'taskId'],
  ['TaskSharedsRemoved', ['removedShareds'], 'taskId'],
  ['TaskDescriptionChanged', [], 'taskId'],
  [
    'TaskCustomFieldChanged',
    ['customFieldId', 'oldValue', 'value'],
    'taskId',
    { filterKey: 'customFields', old: ['oldValue'] },
  ],
  ['AttachmentAdded', ['taskId', 'attachmentId'], 'taskId'],
  ['AttachmentDeleted', ['taskId', 'attachmentId'], 'taskId'],
  ['CommentAdded', ['commentId', 'comment', 'taskId'], 'taskId'],
  ['CommentDeleted', ['commentId', 'taskId'], 'taskId'],
  ['CreateFromBlueprintCompleted', ['blueprintId', 'createdTaskGroupId'], null],
  ['TimelogChanged', ['timeTrackerId', 'type', 'hours', 'taskId'], 'taskId'],
  ['FolderCreated', ['folderId'], 'folderId'],
  ['FolderDeleted', ['folderId'], 'folderId'],
  ['FolderTitleChanged', ['oldValue', 'title'], 'folderId', { old: ['oldValue'] }],
  ['FolderParentsAdded', ['addedParents'], 'folderId'],
  ['FolderParentsRemoved', ['removedParents'], 'folderId'],
  ['FolderSharedsAdded', ['addedShareds'], 'folderId'],
  ['FolderSharedsRemoved', ['removedShareds'], 'folderId'],
  ['FolderDescriptionChanged', [], 'folderId'],
  ['FolderCommentAdded', ['commentId', 'comment'], 'folderId'],
  ['FolderCommentDeleted', ['commentId'], 'folderId'],
  ['FolderAttachmentAdded', ['attachmentId'], 'folderId'],
  ['FolderAttachmentDeleted', ['attachmentId'], 'folderId'],
  [
    'FolderCustomFieldChanged',
    ['customFieldId', 'oldValue', 'value'],
    'folderId',
    { filterKey: 'customFields', old: ['oldValue'] },
  ],
  ['ProjectDatesChanged', ['oldValue', 'dates'], 'folderId', { old: ['oldValue'] }],
  ['ProjectOwnersAdded', ['addedOwners'], 'folderId'],
  ['ProjectOwnersRemoved', ['removedOwners'], 'folderId'],
  [
    'ProjectStatusChanged',
    ['oldStatus', 'status', 'oldCustomStatusId', 'customStatusId'],
    'taskId',
    { old: ['oldStatus', 'oldCustomStatusId'] },
  ],
  ['TaskApprovalStatusChanged', ['approvalId', 'status', 'taskId'], 'taskId'],
  ['TaskApprovalDecisionChanged', ['approvalId', 'decision', 'taskId'], 'taskId'],
  ['TaskApprovalDecisionReset', ['approvalId', 'approverIds', 'taskId'], 'taskId'],
  ['FolderApprovalStatusChanged', ['approvalId', 'status', 'folderId'], 'folderId'],
  ['FolderApprovalDecisionChanged', ['approvalId', 'decision', 'folderId'], 'folderId'],
  ['FolderApprovalDecisionReset', ['approvalId', 'approverIds', 'folderId'], 'folderId'],
  [
    'WorkItemTypeChanged',
    ['workItemId', 'oldWorkItemTypeId', 'newWorkItemTypeId', 'newWorkItemTypeTitle'],
    'workItemId',
    { causedBy: 'convertToCustomItemType=IEAAAAAQPIAB5BUG' },
  ],
  ['ImportFromFileCompleted', ['parentTaskGroupId', 'attachmentId'], null],
];

export const events: readonly EventRow[] = written.map(([name, payload, idField, more]) => ({
  ...{ name, payload, idField, filterKey: null, old: [] },
  ...more,
}));

/** In every payload, beside the id of the subject. */
export const commonFields: readonly string[] = ['webhookId', 'eventAuthorId', 'eventType', 'lastUpdatedDate'];

/** Payload fields that are lists. */
export const listFields = words(`
  addedParents removedParents addedResponsibles removedResponsibles addedShareds removedShareds
  addedOwners removedOwners approverIds
`);

/** Members of the payload fields that are objects, where shown. oldValue of TaskDatesChanged is one too. */
export const objectFields: readonly {
  readonly event: string;
  readonly field: string;
  readonly members: readonly string[];
}[] = [
  {
    event: 'TaskDatesChanged',
    field: 'dates',
    members: ['type', 'startDate', 'duration', 'dueDate', 'workOnWeekends'],
  },
  { event: 'CommentAdded', field: 'comment', members: ['text', 'html'] },
  { event: 'FolderCommentAdded', field: 'comment', members: ['text', 'html'] },
];

/** Text fields that hold JSON: a text value comes with its quotation marks. */
export const jsonTextFields: readonly { readonly event: string; readonly fields: readonly string[] }[] = [
  { event: 'TaskCustomFieldChanged', fields: ['oldValue', 'value'] },
];

/** What a filter key takes. */
export const filterValues: readonly { readonly filterKey: string; readonly takes: string }[] = [
  { filterKey: 'recurrent', takes: 'boolean' },
  { filterKey: 'customFields', takes: 'list of CustomFieldId' },
];

/** Names that `fields` of a parameterised event may hold, and the subjects that each applies to. */
export const payloadFields: readonly {
  readonly name: string;
  readonly subjects: readonly ('task' | 'folder')[];
}[] = [
  { name: 'title', subjects: ['task', 'folder'] },
  { name: 'responsibleIds', subjects: ['task'] },
  { name: 'responsiblePlaceholderIds', subjects: ['task'] },
  { name: 'status', subjects: ['task'] },
  { name: 'dates', subjects: ['task'] },
  { name: 'customStatusId', subjects: ['task'] },
  { name: 'recurrence', subjects: ['task'] },
  { name: 'dependencyIds', subjects: ['task'] },
  { name: 'customFields', subjects: ['task', 'folder'] },
  { name: 'customItemTypeId', subjects: ['task', 'folder'] },
  { name: 'project', subjects: ['folder'] },
];

/** The member of the payload that holds what `fields` asked for. */
export const payloadFieldsMember = 'fields';

/** Events that come about this many minutes late. */
export const delayedEvents: readonly { readonly name: string; readonly minutes: number }[] = [
  { name: 'TaskDescriptionChanged', minutes: 5 },
];
