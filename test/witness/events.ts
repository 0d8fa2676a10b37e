// Every kind of event: what each payload carries beside the common fields, which field names its subject,
// what filters it, which fields hold old values, and for some a task update that causes it at once. Which other change
// causes which event is left to the emulator's tests.

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

export const events: readonly EventRow[] = [
  { name: 'TaskCreated', payload: ['taskId'], idField: 'taskId', filterKey: 'recurrent', old: [] },
  { name: 'TaskDeleted', payload: ['taskId'], idField: 'taskId', filterKey: null, old: [] },
  {
    name: 'TaskTitleChanged',
    payload: ['oldValue', 'title'],
    idField: 'taskId',
    filterKey: null,
    old: ['oldValue'],
    causedBy: 'title=Another',
  },
  {
    name: 'TaskImportanceChanged',
    payload: ['oldValue', 'importance'],
    idField: 'taskId',
    filterKey: null,
    old: ['oldValue'],
    causedBy: 'importance=High',
  },
  {
    name: 'TaskStatusChanged',
    payload: ['oldStatus', 'status', 'oldCustomStatusId', 'customStatusId'],
    idField: 'taskId',
    filterKey: null,
    old: ['oldStatus', 'oldCustomStatusId'],
    causedBy: 'status=Completed',
  },
  {
    name: 'TaskDatesChanged',
    payload: ['oldValue', 'dates'],
    idField: 'taskId',
    filterKey: null,
    old: ['oldValue'],
    causedBy: 'dates=%7B%22type%22%3A%22Backlog%22%7D',
  },
  { name: 'TaskParentsAdded', payload: ['addedParents'], idField: 'taskId', filterKey: null, old: [] },
  { name: 'TaskParentsRemoved', payload: ['removedParents'], idField: 'taskId', filterKey: null, old: [] },
  {
    name: 'TaskResponsiblesAdded',
    payload: ['addedResponsibles'],
    idField: 'taskId',
    filterKey: null,
    old: [],
    causedBy: 'addResponsibles=%5B%22KUAAADAQ%22%5D',
  },
  {
    name: 'TaskResponsiblesRemoved',
    payload: ['removedResponsibles'],
    idField: 'taskId',
    filterKey: null,
    old: [],
    causedBy: 'removeResponsibles=%5B%22KUAABENQ%22%5D',
  },
  { name: 'TaskSharedsAdded', payload: ['addedShareds'], idField: 'taskId', filterKey: null, old: [] },
  { name: 'TaskSharedsRemoved', payload: ['removedShareds'], idField: 'taskId', filterKey: null, old: [] },
  { name: 'TaskDescriptionChanged', payload: [], idField: 'taskId', filterKey: null, old: [] },
  {
    name: 'TaskCustomFieldChanged',
    payload: ['customFieldId', 'oldValue', 'value'],
    idField: 'taskId',
    filterKey: 'customFields',
    old: ['oldValue'],
  },
  {
    name: 'AttachmentAdded',
    payload: ['taskId', 'attachmentId'],
    idField: 'taskId',
    filterKey: null,
    old: [],
  },
  {
    name: 'AttachmentDeleted',
    payload: ['taskId', 'attachmentId'],
    idField: 'taskId',
    filterKey: null,
    old: [],
  },
  {
    name: 'CommentAdded',
    payload: ['commentId', 'comment', 'taskId'],
    idField: 'taskId',
    filterKey: null,
    old: [],
  },
  { name: 'CommentDeleted', payload: ['commentId', 'taskId'], idField: 'taskId', filterKey: null, old: [] },
  {
    name: 'CreateFromBlueprintCompleted',
    payload: ['blueprintId', 'createdTaskGroupId'],
    idField: null,
    filterKey: null,
    old: [],
  },
  {
    name: 'TimelogChanged',
    payload: ['timeTrackerId', 'type', 'hours', 'taskId'],
    idField: 'taskId',
    filterKey: null,
    old: [],
  },
  { name: 'FolderCreated', payload: ['folderId'], idField: 'folderId', filterKey: null, old: [] },
  { name: 'FolderDeleted', payload: ['folderId'], idField: 'folderId', filterKey: null, old: [] },
  {
    name: 'FolderTitleChanged',
    payload: ['oldValue', 'title'],
    idField: 'folderId',
    filterKey: null,
    old: ['oldValue'],
  },
  { name: 'FolderParentsAdded', payload: ['addedParents'], idField: 'folderId', filterKey: null, old: [] },
  {
    name: 'FolderParentsRemoved',
    payload: ['removedParents'],
    idField: 'folderId',
    filterKey: null,
    old: [],
  },
  { name: 'FolderSharedsAdded', payload: ['addedShareds'], idField: 'folderId', filterKey: null, old: [] },
  {
    name: 'FolderSharedsRemoved',
    payload: ['removedShareds'],
    idField: 'folderId',
    filterKey: null,
    old: [],
  },
  { name: 'FolderDescriptionChanged', payload: [], idField: 'folderId', filterKey: null, old: [] },
  {
    name: 'FolderCommentAdded',
    payload: ['commentId', 'comment'],
    idField: 'folderId',
    filterKey: null,
    old: [],
  },
  { name: 'FolderCommentDeleted', payload: ['commentId'], idField: 'folderId', filterKey: null, old: [] },
  { name: 'FolderAttachmentAdded', payload: ['attachmentId'], idField: 'folderId', filterKey: null, old: [] },
  {
    name: 'FolderAttachmentDeleted',
    payload: ['attachmentId'],
    idField: 'folderId',
    filterKey: null,
    old: [],
  },
  {
    name: 'FolderCustomFieldChanged',
    payload: ['customFieldId', 'oldValue', 'value'],
    idField: 'folderId',
    filterKey: 'customFields',
    old: ['oldValue'],
  },
  {
    name: 'ProjectDatesChanged',
    payload: ['oldValue', 'dates'],
    idField: 'folderId',
    filterKey: null,
    old: ['oldValue'],
  },
  { name: 'ProjectOwnersAdded', payload: ['addedOwners'], idField: 'folderId', filterKey: null, old: [] },
  { name: 'ProjectOwnersRemoved', payload: ['removedOwners'], idField: 'folderId', filterKey: null, old: [] },
  {
    name: 'ProjectStatusChanged',
    payload: ['oldStatus', 'status', 'oldCustomStatusId', 'customStatusId'],
    idField: 'taskId',
    filterKey: null,
    old: ['oldStatus', 'oldCustomStatusId'],
  },
  {
    name: 'TaskApprovalStatusChanged',
    payload: ['approvalId', 'status', 'taskId'],
    idField: 'taskId',
    filterKey: null,
    old: [],
  },
  {
    name: 'TaskApprovalDecisionChanged',
    payload: ['approvalId', 'decision', 'taskId'],
    idField: 'taskId',
    filterKey: null,
    old: [],
  },
  {
    name: 'TaskApprovalDecisionReset',
    payload: ['approvalId', 'approverIds', 'taskId'],
    idField: 'taskId',
    filterKey: null,
    old: [],
  },
  {
    name: 'FolderApprovalStatusChanged',
    payload: ['approvalId', 'status', 'folderId'],
    idField: 'folderId',
    filterKey: null,
    old: [],
  },
  {
    name: 'FolderApprovalDecisionChanged',
    payload: ['approvalId', 'decision', 'folderId'],
    idField: 'folderId',
    filterKey: null,
    old: [],
  },
  {
    name: 'FolderApprovalDecisionReset',
    payload: ['approvalId', 'approverIds', 'folderId'],
    idField: 'folderId',
    filterKey: null,
    old: [],
  },
  {
    name: 'WorkItemTypeChanged',
    payload: ['workItemId', 'oldWorkItemTypeId', 'newWorkItemTypeId', 'newWorkItemTypeTitle'],
    idField: 'workItemId',
    filterKey: null,
    old: [],
    causedBy: 'convertToCustomItemType=IEAAAAAQPIAB5BUG',
  },
  {
    name: 'ImportFromFileCompleted',
    payload: ['parentTaskGroupId', 'attachmentId'],
    idField: null,
    filterKey: null,
    old: [],
  },
];

/** In every payload, beside the id of the subject. */
export const commonFields: readonly string[] = ['webhookId', 'eventAuthorId', 'eventType', 'lastUpdatedDate'];

/** Payload fields that are lists. */
export const listFields: readonly string[] = [
  'addedParents',
  'removedParents',
  'addedResponsibles',
  'removedResponsibles',
  'addedShareds',
  'removedShareds',
  'addedOwners',
  'removedOwners',
  'approverIds',
];

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
