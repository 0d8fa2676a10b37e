// The field names of every record that the service answers with, which come only on request, which are marked
// required, and the members of the enums. Types are given where the contract gives them.
// Reading and checking records is left to others.

export interface RecordRow {
  readonly record: string;
  /** In the contract's order: name and type ('' where no type is shown). */
  readonly fields: readonly (readonly [name: string, type: string])[];
  readonly required: readonly string[];
  /** Only there when the request's `fields` asked for them. */
  readonly onRequest: readonly string[];
  /** False where only names that occur in examples are known, so that there may be more. */
  readonly complete: boolean;
}

export const records: readonly RecordRow[] = [
  {
    record: 'Task',
    fields: [
      ['id', 'TaskId'],
      ['accountId', 'AccountId'],
      ['title', 'string'],
      ['description', 'string'],
      ['briefDescription', 'string'],
      ['status', 'TaskStatus'],
      ['importance', 'TaskImportance'],
      ['customStatusId', 'CustomStatusId'],
      ['customItemTypeId', 'EntityTypeId'],
      ['scope', 'TreeScope'],
      ['createdDate', 'timestamp'],
      ['updatedDate', 'timestamp'],
      ['completedDate', 'timestamp'],
      ['dates', 'TaskDates'],
      ['parentIds', 'FolderId[]'],
      ['superParentIds', 'FolderId[]'],
      ['superTaskIds', 'TaskId[]'],
      ['subTaskIds', 'TaskId[]'],
      ['dependencyIds', 'DependencyId[]'],
      ['authorIds', 'UserId[]'],
      ['responsibleIds', 'UserId[]'],
      ['responsiblePlaceholderIds', 'PlaceholderId[]'],
      ['sharedIds', 'UserId[]'],
      ['followerIds', 'UserId[]'],
      ['followedByMe', 'boolean'],
      ['hasAttachments', 'boolean'],
      ['attachmentCount', 'number'],
      ['recurrent', 'boolean'],
      ['priority', 'string'],
      ['permalink', 'string'],
      ['metadata', 'Metadata[]'],
      ['customFields', 'CustomField[]'],
      ['cascadingFieldSettings', 'CascadingFieldSettings[]'],
      ['finance', 'TaskFinance'],
      ['billingType', 'BillingType'],
      ['workScheduleId', 'WorkScheduleId'],
      ['effortAllocation', 'TaskEffort'],
    ],
    required: [],
    onRequest: ['responsiblePlaceholderIds', 'billingType', 'workScheduleId', 'effortAllocation'],
    complete: true,
  },
  {
    record: 'TaskDates',
    fields: [
      ['type', 'TaskDatesType'],
      ['start', 'string'],
      ['due', 'string'],
      ['duration', 'number'],
      ['workOnWeekends', 'boolean'],
    ],
    required: [],
    onRequest: [],
    complete: true,
  },
  {
    record: 'Metadata',
    fields: [
      ['key', 'string'],
      ['value', 'string'],
    ],
    required: ['key', 'value'],
    onRequest: [],
    complete: true,
  },
  {
    record: 'CustomField',
    fields: [
      ['id', 'CustomFieldId'],
      ['value', 'string'],
    ],
    required: ['id', 'value'],
    onRequest: [],
    complete: true,
  },
  {
    record: 'TaskFinance',
    fields: [
      ['plannedCost', 'number'],
      ['plannedFees', 'number'],
      ['actualFees', 'number'],
      ['actualCost', 'number'],
      ['currency', 'string'],
    ],
    required: [],
    onRequest: [],
    complete: true,
  },
  {
    record: 'TaskEffort',
    fields: [
      ['mode', 'EffortMode'],
      ['dailyAllocationPercentage', 'number'],
      ['allocatedEffort', 'number'],
      ['totalEffort', 'number'],
      ['responsibleAllocation', 'ResponsibleAllocation[]'],
    ],
    required: ['mode'],
    onRequest: [],
    complete: true,
  },
  {
    record: 'ResponsibleAllocation',
    fields: [
      ['dailyAllocation', 'DailyAllocation[]'],
      ['userId', 'UserId'],
      ['placeholderId', 'PlaceholderId'],
    ],
    required: ['dailyAllocation'],
    onRequest: [],
    complete: true,
  },
  {
    record: 'DailyAllocation',
    fields: [
      ['date', 'yyyy-MM-dd'],
      ['effortMinutes', 'number'],
    ],
    required: ['date', 'effortMinutes'],
    onRequest: [],
    complete: true,
  },
  {
    record: 'CascadingFieldSettings',
    fields: [
      ['fieldId', 'CustomFieldId'],
      ['systemField', 'boolean'],
      ['enabledBy', 'UserId'],
      ['enabledAt', 'timestamp'],
    ],
    required: [],
    onRequest: [],
    complete: true,
  },
  {
    // folderId is there for folder webhooks only.
    record: 'Webhook',
    fields: [
      ['id', 'string'],
      ['accountId', 'string'],
      ['folderId', 'string'],
      ['hookUrl', 'string'],
      ['status', 'WebhookStatus'],
    ],
    required: [],
    onRequest: [],
    complete: true,
  },
  {
    record: 'Account',
    fields: [
      ['id', ''],
      ['name', ''],
      ['dateFormat', ''],
      ['firstDayOfWeek', ''],
      ['workDays', ''],
      ['rootFolderId', ''],
      ['recycleBinId', ''],
      ['createdDate', ''],
      ['joinedDate', ''],
    ],
    required: [],
    onRequest: [],
    complete: false,
  },
  {
    record: 'Contact',
    fields: [
      ['id', ''],
      ['firstName', ''],
      ['lastName', ''],
      ['type', ''],
      ['profiles', ''],
      ['avatarUrl', ''],
      ['timezone', ''],
      ['locale', ''],
      ['deleted', ''],
      ['me', ''],
    ],
    required: [],
    onRequest: [],
    complete: false,
  },
  {
    record: 'TokenResponse',
    fields: [
      ['access_token', ''],
      ['refresh_token', ''],
      ['token_type', ''],
      ['expires_in', 'seconds'],
      ['host', ''],
    ],
    required: [],
    onRequest: [],
    complete: true,
  },
];

/** Members of the enums, in the contract's order. */
export const enums: readonly { readonly name: string; readonly members: readonly string[] }[] = [
  { name: 'TaskStatus', members: ['Active', 'Deferred', 'Completed', 'Cancelled'] },
  { name: 'TaskImportance', members: ['High', 'Low', 'Normal'] },
  { name: 'TreeScope', members: ['WsTask', 'RbTask', 'RbRoot', 'RbFolder', 'WsFolder', 'WsRoot'] },
  { name: 'TaskDatesType', members: ['Milestone', 'Backlog', 'Planned'] },
  { name: 'EffortMode', members: ['Basic', 'Flexible', 'FullTime', 'None'] },
  { name: 'BillingType', members: ['Billable', 'NonBillable'] },
  { name: 'WebhookStatus', members: ['Active', 'Suspended'] },
];

/** The one value of a contact's `type` that is shown: a bot. */
export const botContactType = 'Robot';

/** Which members of TaskDates a task of each type may have. */
export const datesByType: readonly { readonly type: string; readonly fields: readonly string[] }[] = [
  { type: 'Milestone', fields: ['due'] },
  { type: 'Backlog', fields: ['duration'] },
  { type: 'Planned', fields: ['start', 'due', 'duration'] },
];

/** Texts that fit a record's timestamp, a scheduling date (time part optional), a day of an allocation. */
export const timeTexts = {
  timestamp: ['2026-01-05T09:00:00Z'],
  schedulingDate: ['2026-01-05T09:00:00', '2026-01-05'],
  day: ['2026-01-05'],
} as const;
