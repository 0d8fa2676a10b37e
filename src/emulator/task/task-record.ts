// The record of a task in a response: computed fields (subtasks, inherited folders, the brief description), fields that `fields`
// requests, and custom fields without tags.

import type { TypeOf } from '#contract/schema.ts';
import type { fieldOnRequest, Task, TaskUpdate } from '#contract/task.ts';
import { inheritedFolderIds } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { StoredTask } from '../state/store.ts';
import type { UpdateContext } from '../update/draft.ts';
import type { BriefDescription } from './brief-description.ts';
import { permalinkOf } from './urls.ts';

const none: readonly string[] = [];

interface TaskReadOptions extends Pick<TaskUpdate, 'withInvitations' | 'plainTextCustomFields'> {
  /** May include fields that every record has. */
  readonly fields?: readonly string[];
}

interface RecordContext extends Pick<UpdateContext, 'store' | 'user' | 'workspace' | 'assume'> {
  readonly service: { readonly briefDescription: BriefDescription };
}

export function toTaskRecord(
  { service, store, user, workspace, assume }: RecordContext,
  task: StoredTask,
  readOptions: TaskReadOptions,
): Task {
  const withoutInvitations = (ids: readonly string[]) =>
    readOptions.withInvitations || store.invitations.size === 0
      ? ids
      : ids.filter((id) => !store.invitations.has(id));
  const isRequested = (name: TypeOf<typeof fieldOnRequest>) => readOptions.fields?.includes(name) === true;
  const isDeleted = task.scope === 'RbTask';
  const isPlaced = task.parentIds.length > 0 || task.superTaskIds.length === 0;
  if (!isPlaced) assume('subtask-parent');
  // Field by field: an object created by spreading is several times slower to create and to serialize.
  const record: { -readonly [K in keyof Task]: Task[K] } = {
    accountId: task.accountId,
    id: task.id,
    title: task.title,
    description: task.description,
    status: task.status,
    importance: task.importance,
    customStatusId: task.customStatusId,
    scope: task.scope,
    createdDate: task.createdDate,
    updatedDate: task.updatedDate,
    dates: task.dates,
    parentIds: isPlaced ? task.parentIds : [requireEntry(store.accounts, task.accountId).rootFolderId],
    superTaskIds: isDeleted ? none : task.superTaskIds,
    // Without deleted tasks.
    subTaskIds: task.subTaskIds.filter((id) => store.tasks.get(id)?.scope === 'WsTask'),
    dependencyIds: task.dependencyIds,
    authorIds: task.authorIds,
    responsibleIds: withoutInvitations(task.responsibleIds),
    sharedIds: withoutInvitations(task.sharedIds),
    followerIds: task.followerIds,
    recurrent: task.recurrent,
    priority: task.priority,
    metadata: task.metadata,
    customFields: readOptions.plainTextCustomFields
      ? task.customFields.map(({ id, value }) => ({ id, value: withoutTags(value) }))
      : task.customFields,
    cascadingFieldSettings: task.cascadingFieldSettings,
    finance: task.finance,
    briefDescription: service.briefDescription(task.description),
    followedByMe: task.followerIds.includes(user.id),
    superParentIds: isDeleted ? none : inheritedFolderIds(store, task),
    hasAttachments: task.attachments.length > 0,
    attachmentCount: task.attachments.length,
    permalink: permalinkOf(workspace, task),
  };
  if (task.completedDate !== undefined && task.status === 'Completed')
    record.completedDate = task.completedDate;
  if (task.customItemTypeId !== undefined) record.customItemTypeId = task.customItemTypeId;
  if (isRequested('billingType')) record.billingType = task.billingType;
  if (isRequested('workScheduleId') && task.workScheduleId !== undefined)
    record.workScheduleId = task.workScheduleId;
  if (isRequested('effortAllocation') && task.effortAllocation !== undefined)
    record.effortAllocation = task.effortAllocation;
  if (isRequested('responsiblePlaceholderIds'))
    record.responsiblePlaceholderIds = task.responsiblePlaceholderIds;
  return record;
}

/** Removes only tags: a value may be JSON, in which quotes and spaces matter. */
function withoutTags(value: string): string {
  return value.replace(/<\/?[a-z][^<>]*>/gi, '');
}
