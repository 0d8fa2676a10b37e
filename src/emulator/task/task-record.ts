// The record of a task in a response: the members of every list, and what the response or its `fields` adds (contract/task.ts).
// Some are computed: subtasks, inherited folders, the brief description, custom fields without tags.

import { shownTaskFields, type Task, type TaskField, type TaskUpdate } from '#contract/task.ts';
import { inheritedFolderIds } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { StoredTask } from '../state/store.ts';
import type { UpdateContext } from '../update/draft.ts';
import type { BriefDescription } from './brief-description.ts';
import { shownPriority } from './priority.ts';
import { permalinkOf } from './urls.ts';

interface TaskReadOptions extends Pick<TaskUpdate, 'withInvitations' | 'plainTextCustomFields'> {
  readonly fields?: readonly TaskField[];
}

interface RecordContext extends Pick<UpdateContext, 'store' | 'user' | 'workspace' | 'assume'> {
  readonly service: { readonly briefDescription: BriefDescription };
}

type Shows<F extends TaskField> = (
  task: StoredTask,
  context: RecordContext,
  options: TaskReadOptions,
) => Task[F] | undefined;

const withoutInvitations = (
  ids: readonly string[],
  { store: { invitations } }: RecordContext,
  { withInvitations }: TaskReadOptions,
) => (withInvitations || invitations.size === 0 ? ids : ids.filter((id) => !invitations.has(id)));

const none: readonly string[] = [];
const isDeleted = ({ scope }: StoredTask) => scope === 'RbTask';

/** Undefined leaves the member out. */
const fields: { readonly [F in TaskField]: Shows<F> } = {
  description: (task) => task.description,
  briefDescription: (task, { service }) => service.briefDescription(task.description),
  parentIds(task, { store, assume }) {
    if (task.parentIds.length > 0 || task.superTaskIds.length === 0) return task.parentIds;
    assume('subtask-parent');
    return [requireEntry(store.accounts, task.accountId).rootFolderId];
  },
  superParentIds: (task, { store }) => (isDeleted(task) ? none : inheritedFolderIds(store, task)),
  sharedIds: (task, context, options) => withoutInvitations(task.sharedIds, context, options),
  responsibleIds: (task, context, options) => withoutInvitations(task.responsibleIds, context, options),
  authorIds: (task) => task.authorIds,
  hasAttachments: (task) => task.attachments.length > 0,
  followerIds: (task) => task.followerIds,
  superTaskIds: (task) => (isDeleted(task) ? none : task.superTaskIds),
  // Without deleted tasks.
  subTaskIds: (task, { store }) => task.subTaskIds.filter((id) => store.tasks.get(id)?.scope === 'WsTask'),
  dependencyIds: (task) => task.dependencyIds,
  metadata: (task) => task.metadata,
  customFields: ({ customFields }, _, { plainTextCustomFields }) =>
    plainTextCustomFields
      ? customFields.map(({ id, value }) => ({ id, value: withoutTags(value) }))
      : customFields,
  customItemTypeId: (task) => task.customItemTypeId,
  attachmentCount: (task) => task.attachments.length,
  cascadingFieldSettings: (task) => task.cascadingFieldSettings,
  finance: (task) => ({ currency: 'Euro', ...task.finance }),
  recurrent: (task) => task.recurrent || undefined,
  billingType: (task) => task.billingType,
  workScheduleId: (task) => task.workScheduleId,
  effortAllocation: (task) => task.effortAllocation ?? { responsibleAllocation: [], mode: 'None' },
  responsiblePlaceholderIds: (task) => task.responsiblePlaceholderIds,
};

export function toTaskRecord(
  context: RecordContext,
  task: StoredTask,
  options: TaskReadOptions,
  shownIn: keyof typeof shownTaskFields = 'change',
): Task {
  // Member by member: an object created by spreading is several times slower to create and to serialize.
  const record: { -readonly [K in keyof Task]: Task[K] } = {
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
    permalink: permalinkOf(context.workspace, task),
    priority: shownPriority(task.priority),
  };
  if (task.completedDate !== undefined && task.status === 'Completed')
    record.completedDate = task.completedDate;
  const show = <F extends TaskField>(name: F): void => {
    const value = fields[name](task, context, options);
    if (value !== undefined) record[name] = value;
    if (name === 'followerIds') record.followedByMe = task.followerIds.includes(context.user.id);
  };
  for (const name of shownTaskFields[shownIn]) show(name);
  for (const name of options.fields ?? []) show(name);
  return record;
}

/** Removes only tags: a value may be JSON, in which quotes and spaces matter. */
function withoutTags(value: string): string {
  return value.replace(/<\/?[a-z][^<>]*>/gi, '');
}
