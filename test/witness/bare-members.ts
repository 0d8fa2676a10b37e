// The members of records in responses that only have what the contract shows, for each kind, with those of nested objects. The contract
// shows no members of `project` and `profiles`.

import { words } from './words.ts';

export const bareMembers: Readonly<Record<string, readonly string[]>> = {
  accounts: words(`
    id name dateFormat firstDayOfWeek workDays rootFolderId recycleBinId createdDate joinedDate
  `),
  contacts: words(`
    id firstName lastName type profiles avatarUrl timezone locale deleted me
  `),
  users: ['id'],
  // Its childIds replace children; the others are what a payload may have of a folder or a project.
  folders: words(`
    id title childIds project customItemTypeId customFields customFields.id customFields.value
  `),
  folderTree: ['id', 'title', 'childIds', 'project'],
  spaces: ['id'],
  customfields: ['id'],
  workflows: ['id'],
  dependencies: ['id'],
  comments: ['id'],
  attachments: ['id'],
  // The other dates replace `date`.
  timelogs: ['id', 'trackedDate', 'createdDate'],
  timelogCategories: [],
  timelogLockPeriods: [],
  timesheet: [],
  groups: ['id'],
  colors: [],
  dataExport: ['id'],
  dataExportSchema: ['id'],
  invitations: ['id'],
  auditLog: [],
  ids: ['id'],
  version: [],
  url: [],
  asyncJob: ['id'],
  webhooks: ['id', 'accountId', 'folderId', 'hookUrl', 'status'],
  tasks: words(`
    id accountId title description briefDescription status importance customStatusId customItemTypeId scope
    createdDate updatedDate completedDate dates dates.type dates.start dates.due dates.duration
    dates.workOnWeekends parentIds superParentIds superTaskIds subTaskIds dependencyIds authorIds
    responsibleIds responsiblePlaceholderIds sharedIds followerIds followedByMe hasAttachments
    attachmentCount recurrent priority permalink metadata metadata.key metadata.value customFields
    customFields.id customFields.value cascadingFieldSettings cascadingFieldSettings.fieldId
    cascadingFieldSettings.systemField cascadingFieldSettings.enabledBy cascadingFieldSettings.enabledAt
    finance finance.plannedCost finance.plannedFees finance.actualFees finance.actualCost finance.currency
    billingType workScheduleId effortAllocation effortAllocation.mode
    effortAllocation.dailyAllocationPercentage effortAllocation.totalEffort effortAllocation.allocatedEffort
    effortAllocation.responsibleAllocation effortAllocation.responsibleAllocation.userId
    effortAllocation.responsibleAllocation.placeholderId
    effortAllocation.responsibleAllocation.dailyAllocation
    effortAllocation.responsibleAllocation.dailyAllocation.date
    effortAllocation.responsibleAllocation.dailyAllocation.effortMinutes
  `),
};
