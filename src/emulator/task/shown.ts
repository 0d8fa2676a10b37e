// The task as an answer carries it: what is worked out (subtasks, inherited folders, the short description), what comes
// only when `fields` asks for it, and custom fields without their tags.

import type { Task, TaskUpdate } from '../../contract/task.ts';
import { superParents } from '../access.ts';
import type { Store, StoredTask, User } from '../store.ts';
import { plainText } from './html.ts';

export type Wishes = Pick<TaskUpdate, 'fields' | 'withInvitations' | 'plainTextCustomFields'>;

const briefCharacters = 250;

function brief(description: string): string {
  // Reading the whole of a long description for its beginning would make every list slow.
  const text = [...plainText(description.slice(0, briefCharacters * 20))];
  return text.length <= briefCharacters ? text.join('') : `${text.slice(0, briefCharacters).join('')}...`;
}

export function shownTask(
  store: Store,
  user: User,
  workspace: string,
  task: StoredTask,
  wishes: Wishes,
): Task {
  const { formerParentIds: _, attachments, completedDate, customItemTypeId, ...always } = task;
  const { billingType, workScheduleId, effortAllocation, responsiblePlaceholderIds, ...plain } = always;
  const known = (ids: readonly string[]) =>
    wishes.withInvitations ? ids : ids.filter((id) => !store.invitations.has(id));
  const wants = (name: NonNullable<Wishes['fields']>[number]) => wishes.fields?.includes(name) === true;
  return {
    ...plain,
    briefDescription: brief(task.description),
    sharedIds: known(task.sharedIds),
    responsibleIds: known(task.responsibleIds),
    followedByMe: task.followerIds.includes(user.id),
    superParentIds: superParents(store, task),
    // What lies in the recycle bin is not shown among the rest.
    subTaskIds: task.subTaskIds.filter((id) => store.tasks.get(id)?.scope === 'WsTask'),
    hasAttachments: attachments.length > 0,
    attachmentCount: attachments.length,
    permalink: `${workspace}/open?id=${task.id}`,
    customFields: wishes.plainTextCustomFields
      ? task.customFields.map(({ id, value }) => ({ id, value: withoutTags(value) }))
      : task.customFields,
    ...(completedDate === undefined ? {} : { completedDate }),
    ...(customItemTypeId === undefined ? {} : { customItemTypeId }),
    ...(wants('billingType') ? { billingType } : {}),
    ...(wants('workScheduleId') && workScheduleId !== undefined ? { workScheduleId } : {}),
    ...(wants('effortAllocation') && effortAllocation !== undefined ? { effortAllocation } : {}),
    ...(wants('responsiblePlaceholderIds') ? { responsiblePlaceholderIds } : {}),
  };
}

/** Tags go, and nothing else: a value may be JSON, whose quotes and spaces matter. */
function withoutTags(value: string): string {
  return value.replace(/<\/?[a-z][^<>]*>/gi, '');
}
