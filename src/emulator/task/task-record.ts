// The record of a task in a response: the members of every list, and what the response or its `fields` adds (contract/task.ts).
// Some are computed: subtasks, inherited folders, the brief description, custom fields without tags.

import { shownTaskFields, type Task, type TaskField, type TaskUpdate } from '#contract/task.ts';
import { briefDescription } from '../html/sanitize.ts';
import { inheritedFolderIds, requireEntry } from '../state/access.ts';
import type { StoredTask } from '../state/store.ts';
import type { UpdateContext } from '../update/apply-effects.ts';
import { shownPriority } from './priority.ts';
import { permalinkOf } from './urls.ts';

interface TaskReadOptions extends Pick<TaskUpdate, 'withInvitations' | 'plainTextCustomFields'> {
  readonly fields?: readonly TaskField[];
}

type RecordContext = Pick<UpdateContext, 'store' | 'user' | 'workspace' | 'assume'>;

/** A member that a response does not show is undefined, and so left out of its JSON. */
type TaskRecord = { readonly [M in keyof Task]: Task[M] | undefined };

export function toTaskRecord(
  context: RecordContext,
  task: StoredTask,
  { fields, withInvitations, plainTextCustomFields }: TaskReadOptions,
  shownIn: keyof typeof shownTaskFields = 'change',
): TaskRecord {
  const { store, user, workspace } = context;
  const own = shownTaskFields[shownIn];
  const shows = (name: TaskField) => own.has(name) || fields?.includes(name) === true;
  const isDeleted = task.scope === 'RbTask';
  const known = (ids: readonly string[]) =>
    withInvitations || store.invitations.size === 0 ? ids : ids.filter((id) => !store.invitations.has(id));
  // One literal: an object that is spread, or gets its members one by one, takes several times longer to create and to serialize.
  return {
    id: task.id,
    accountId: task.accountId,
    title: task.title,
    status: task.status,
    importance: task.importance,
    createdDate: task.createdDate,
    updatedDate: task.updatedDate,
    dates: task.dates,
    scope: task.scope,
    customStatusId: task.customStatusId,
    permalink: permalinkOf(workspace, task),
    priority: shownPriority(task.priority),
    completedDate: task.status === 'Completed' ? task.completedDate : undefined,
    description: shows('description') ? task.description : undefined,
    briefDescription: shows('briefDescription') ? briefDescription(task.description) : undefined,
    parentIds: shows('parentIds') ? parentsOf(task, context) : undefined,
    superParentIds: shows('superParentIds') ? (isDeleted ? [] : inheritedFolderIds(store, task)) : undefined,
    sharedIds: shows('sharedIds') ? known(task.sharedIds) : undefined,
    responsibleIds: shows('responsibleIds') ? known(task.responsibleIds) : undefined,
    authorIds: shows('authorIds') ? task.authorIds : undefined,
    hasAttachments: shows('hasAttachments') ? task.attachments.length > 0 : undefined,
    followerIds: shows('followerIds') ? task.followerIds : undefined,
    followedByMe: shows('followerIds') ? task.followerIds.includes(user.id) : undefined,
    superTaskIds: shows('superTaskIds') ? (isDeleted ? [] : task.superTaskIds) : undefined,
    // Without deleted tasks.
    subTaskIds: shows('subTaskIds')
      ? task.subTaskIds.filter((id) => store.tasks.get(id)?.scope === 'WsTask')
      : undefined,
    dependencyIds: shows('dependencyIds') ? task.dependencyIds : undefined,
    metadata: shows('metadata') ? task.metadata : undefined,
    customFields: shows('customFields') ? customFieldsOf(task, plainTextCustomFields) : undefined,
    customItemTypeId: shows('customItemTypeId') ? task.customItemTypeId : undefined,
    attachmentCount: shows('attachmentCount') ? task.attachments.length : undefined,
    cascadingFieldSettings: shows('cascadingFieldSettings') ? task.cascadingFieldSettings : undefined,
    finance: shows('finance') ? { currency: 'Euro', ...task.finance } : undefined,
    recurrent: shows('recurrent') ? task.recurrent || undefined : undefined,
    billingType: shows('billingType') ? task.billingType : undefined,
    workScheduleId: shows('workScheduleId') ? task.workScheduleId : undefined,
    effortAllocation: shows('effortAllocation') ? (task.effortAllocation ?? noEffort) : undefined,
    responsiblePlaceholderIds: shows('responsiblePlaceholderIds')
      ? task.responsiblePlaceholderIds
      : undefined,
  };
}

const noEffort = { responsibleAllocation: [], mode: 'None' } as const;

function parentsOf(task: StoredTask, { store, assume }: RecordContext): readonly string[] {
  if (task.parentIds.length > 0 || task.superTaskIds.length === 0) return task.parentIds;
  assume('subtask-parent');
  return [requireEntry(store.accounts, task.accountId).rootFolderId];
}

function customFieldsOf({ customFields }: StoredTask, plainText = false): StoredTask['customFields'] {
  if (!plainText) return customFields;
  // Removes only tags: a value may be JSON, in which quotes and spaces matter.
  return customFields.map(({ id, value }) => ({ id, value: value.replace(/<\/?[a-z][^<>]*>/gi, '') }));
}
