// The field names of every record that the service answers with, which come only on request, which are marked
// required, and the members of the enums. Types are given where the contract gives them.
// Reading and checking records is left to others.

import { words } from './words.ts';

export interface RecordRow {
  readonly record: string;
  /** In the contract's order: name and type ('' where no type is shown). */
  readonly fields: readonly (readonly [name: string, type: string])[];
  readonly required: readonly string[];
  /** Only there when the request's `fields` asked for them. */
  readonly onRequest: readonly string[];
}

/** The fields of each record, with the types that are shown. */
const fieldsByRecord: Readonly<Record<string, string>> = {
  Task: `
    id TaskId, accountId AccountId, title string, description string, briefDescription string,
    status TaskStatus, importance TaskImportance, customStatusId CustomStatusId,
    customItemTypeId EntityTypeId, scope TreeScope, createdDate timestamp, updatedDate timestamp,
    completedDate timestamp, dates TaskDates, parentIds FolderId[], superParentIds FolderId[],
    superTaskIds TaskId[], subTaskIds TaskId[], dependencyIds DependencyId[], authorIds UserId[],
    responsibleIds UserId[], responsiblePlaceholderIds PlaceholderId[], sharedIds UserId[],
    followerIds UserId[], followedByMe boolean, hasAttachments boolean, attachmentCount number,
    recurrent boolean, priority string, permalink string, metadata Metadata[], customFields CustomField[],
    cascadingFieldSettings CascadingFieldSettings[], finance TaskFinance, billingType BillingType,
    workScheduleId WorkScheduleId, effortAllocation TaskEffort`,
  TaskDates: 'type TaskDatesType, start string, due string, duration number, workOnWeekends boolean',
  Metadata: 'key string, value string',
  CustomField: 'id CustomFieldId, value string',
  TaskFinance: `
    plannedCost number, plannedFees number, actualFees number, actualCost number, currency string`,
  TaskEffort: `
    mode EffortMode, dailyAllocationPercentage number, allocatedEffort number, totalEffort number,
    responsibleAllocation ResponsibleAllocation[]`,
  ResponsibleAllocation: 'dailyAllocation DailyAllocation[], userId UserId, placeholderId PlaceholderId',
  DailyAllocation: 'date yyyy-MM-dd, effortMinutes number',
  CascadingFieldSettings: `
    fieldId CustomFieldId, systemField boolean, enabledBy UserId, enabledAt timestamp`,
  // folderId is there for folder webhooks only.
  Webhook: 'id string, accountId string, folderId string, hookUrl string, status WebhookStatus',
  // Of these two only names that occur in examples are known, so that there may be more.
  Account: `
    id, name, dateFormat, firstDayOfWeek, workDays, rootFolderId, recycleBinId, createdDate, joinedDate`,
  Contact: 'id, firstName, lastName, type, profiles, avatarUrl, timezone, locale, deleted, me',
  TokenResponse: 'access_token, refresh_token, token_type, expires_in seconds, host',
};

const required: Readonly<Record<string, readonly string[]>> = {
  Metadata: ['key', 'value'],
  CustomField: ['id', 'value'],
  TaskEffort: ['mode'],
  ResponsibleAllocation: ['dailyAllocation'],
  DailyAllocation: ['date', 'effortMinutes'],
};

export const records: readonly RecordRow[] = Object.entries(fieldsByRecord).map(([record, fields]) => ({
  record,
  fields: fields.split(',').map((field) => {
    const [name = '', type = ''] = words(field);
    return [name, type];
  }),
  required: required[record] ?? [],
  onRequest:
    record === 'Task' ? words('responsiblePlaceholderIds billingType workScheduleId effortAllocation') : [],
}));

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
