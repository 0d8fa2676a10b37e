// The effect of each parameter of a task update. The type requires an effect for every parameter of the contract. update/references.ts finds
// the records that a parameter names, dates.ts reschedules, and update/changes.ts finds the events.

import { statusOfEveryLicence } from '#contract/limit.ts';
import type { TaskUpdate } from '#contract/task.ts';
import { sanitizeHtml } from '../html/sanitize.ts';
import { ErrorResponse, invalidParameter, validateParameter } from '../http/error-response.ts';
import { outsideBin, reachable, requireEntry } from '../state/access.ts';
import type { StoredTask } from '../state/store.ts';
import {
  added,
  type Draft as DraftOf,
  type Effects,
  removed,
  type UpdateContext,
} from '../update/apply-effects.ts';
import { adds, type Requirement, removes, setCustomFields, setMetadata } from '../update/record-effects.ts';
import * as references from '../update/references.ts';
import { datesAssumptions, reschedule } from './dates.ts';
import { keyBeside } from './priority.ts';
import { attachmentUrl } from './urls.ts';

type Draft = DraftOf<StoredTask>;

/** For parameters that only shape the response (task-record.ts). */
const noEffect = () => undefined;

const sets =
  (name: 'title' | 'importance' | 'billingType') =>
  (draft: Draft, value: string): void => {
    Object.assign(draft, { [name]: value });
  };

function setStatus(draft: Draft, status: StoredTask['status'], context: UpdateContext): void {
  if (status === draft.status) return;
  draft.status = status;
  if (status === 'Completed') draft.completedDate = context.timestamp;
  else if (draft.completedDate !== undefined) {
    delete draft.completedDate;
    context.assume('completed-date');
  }
}

function requireLicence(status: StoredTask['status'], { user }: UpdateContext): void {
  if (status === statusOfEveryLicence || user.licence !== 'lowest') return;
  const why = `The licence does not include the status ${status}`;
  throw new ErrorResponse('not_allowed', why, 'licence-status');
}

function movePriority(draft: Draft, id: string, context: UpdateContext, side: 'before' | 'after'): void {
  const parameter = side === 'before' ? 'priorityBefore' : 'priorityAfter';
  context.assume('priority-list');
  const neighbour = references.requireTask(context, parameter, id);
  if (id === draft.id)
    throw invalidParameter(parameter, `${id} is the task itself`, 'priority-contradiction');
  draft.priority = keyBeside(context.store.tasks, draft.id, neighbour, side);
}

const requirePlaceholders: Requirement = (context, parameter, ids) => {
  for (const id of ids)
    references.requireOwned(context, parameter, 'a placeholder', context.store.placeholders, id);
};

const requireTasks: Requirement = (context, parameter, ids) => {
  for (const id of ids) references.requireTask(context, parameter, id);
};

const requireSuperTasks: Requirement = (context, parameter, ids, draft) => {
  requireTasks(context, parameter, ids, draft);
  const superTasksOf = (id: string) => requireEntry(context.store.tasks, id).superTaskIds;
  for (const id of ids)
    if (reachable([id], superTasksOf).has(draft.id))
      throw invalidParameter(parameter, `${id} is the task itself or one of its subtasks`, 'super-task-loop');
};

/** Restoring comes first: the other parameters change the restored task. */
export const taskEffects: Effects<Draft, Required<TaskUpdate>> = {
  restore(draft, restore, { store, assume }) {
    if (!restore) return;
    if (draft.scope !== 'RbTask') return assume('restore');
    draft.scope = 'WsTask';
    const { formerParentIds } = draft;
    draft.parentIds = formerParentIds.length === 0 ? [] : outsideBin(store, draft.accountId, formerParentIds);
    draft.formerParentIds = [];
    delete draft.deletedWith;
  },
  title: sets('title'),
  description(draft, html, { workspace, assume }) {
    const images = draft.attachments.flatMap((file) =>
      [file.url ?? [], attachmentUrl(workspace, file)].flat(),
    );
    draft.description = sanitizeHtml(html, { workspace, images, assume });
  },
  status(draft, status, context) {
    requireLicence(status, context);
    if (status === draft.status) return;
    const { store, account } = context;
    const workflows = [...store.workflows.values()].filter(({ accountId }) => accountId === account.id);
    const workflow = workflows.find(({ statuses }) => statuses.some(({ id }) => id === draft.customStatusId));
    const custom = workflow?.statuses.find(({ group }) => group === status);
    if (custom) draft.customStatusId = custom.id;
    setStatus(draft, status, context);
  },
  importance: sets('importance'),
  dates(draft, dates, { account, assume }) {
    for (const id of datesAssumptions(draft.dates, dates, account.workDays)) assume(id);
    draft.dates = validateParameter('dates', () => reschedule(draft.dates, dates, account.workDays));
  },
  addParents: adds('parentIds', references.requireParentFolders),
  removeParents: removes('parentIds', references.requireFolders),
  addShareds: adds('sharedIds', references.requireSharers),
  removeShareds: removes('sharedIds', references.requireFormerSharers),
  addResponsibles(draft, ids, context, { removeShareds = [] }, parameter) {
    references.requireUsers(context, parameter, ids);
    const newIds = removed(ids, draft.responsibleIds);
    if (newIds.length === 0) return;
    context.assume('new-assignee');
    draft.responsibleIds = added(draft.responsibleIds, newIds);
    draft.sharedIds = added(draft.sharedIds, removed(newIds, removeShareds));
    const users = newIds.filter((id) => context.store.users.has(id));
    // New ones come first.
    draft.followerIds = added(removed(users, draft.followerIds), draft.followerIds);
  },
  removeResponsibles: removes('responsibleIds', references.requireFormerUsers),
  addResponsiblePlaceholders: adds('responsiblePlaceholderIds', requirePlaceholders),
  removeResponsiblePlaceholders: removes('responsiblePlaceholderIds', requirePlaceholders),
  addFollowers: adds('followerIds', references.requireMembers),
  follow(draft, follow, { user }) {
    draft.followerIds = follow ? added(draft.followerIds, [user.id]) : removed(draft.followerIds, [user.id]);
  },
  priorityBefore: (draft, id, context) => movePriority(draft, id, context, 'before'),
  priorityAfter(draft, id, context, { priorityBefore }, parameter) {
    movePriority(draft, id, context, 'after');
    if (priorityBefore === undefined) return;
    const why = `${id} comes after ${priorityBefore}, the task of priorityBefore`;
    if (draft.priority >= requireEntry(context.store.tasks, priorityBefore).priority)
      throw invalidParameter(parameter, why, 'priority-contradiction');
  },
  addSuperTasks: adds('superTaskIds', requireSuperTasks),
  removeSuperTasks: removes('superTaskIds', requireTasks),
  metadata: setMetadata,
  customFields: setCustomFields,
  customStatus(draft, id, context, { status }, parameter) {
    const { group } = references.requireStatus(context, parameter, id);
    requireLicence(group, context);
    const why = `${id} belongs to ${group}, but status is ${status}`;
    if (status !== undefined && status !== group)
      throw invalidParameter(parameter, why, 'custom-status-group');
    setStatus(draft, group, context);
    draft.customStatusId = id;
  },
  effortAllocation: replaceEffort,
  setResponsibleAllocation: reallocate,
  billingType: sets('billingType'),
  convertToCustomItemType(draft, id, context, _, parameter) {
    const type = references.requireOwned(
      context,
      parameter,
      'a custom item type',
      context.store.customItemTypes,
      id,
    );
    if (type.relatedType !== 'Task')
      throw invalidParameter(parameter, `${id} is a type for projects`, 'item-type-of-projects');
    draft.customItemTypeId = id;
  },
  workScheduleId(draft, id, context) {
    references.requireOwned(context, 'workScheduleId', 'a work schedule', context.store.workSchedules, id);
    draft.workScheduleId = id;
  },
  withInvitations: noEffect,
  plainTextCustomFields: noEffect,
  fields: noEffect,
};

type Effort = NonNullable<StoredTask['effortAllocation']>;
type Allocations = NonNullable<TaskUpdate['setResponsibleAllocation']>;

/** The same for all allocations to a user or placeholder. */
const assigneeKey = ({ userId, placeholderId }: Allocations[number]) => `${userId} ${placeholderId}`;

function validateAssignees(allocations: Allocations, context: UpdateContext, parameter: string): void {
  const why = 'an allocation needs either a userId or a placeholderId';
  for (const { userId, placeholderId } of allocations) {
    if ((userId === undefined) === (placeholderId === undefined))
      throw invalidParameter(parameter, why, 'allocation-assignee');
    if (userId !== undefined) references.requireUsers(context, parameter, [userId]);
    if (placeholderId !== undefined)
      references.requireOwned(context, parameter, 'a placeholder', context.store.placeholders, placeholderId);
  }
}

const sumMinutes = (allocations: Allocations) =>
  allocations
    .flatMap(({ dailyAllocation }) => dailyAllocation)
    .reduce((sum, { effortMinutes }) => sum + effortMinutes, 0);

function replaceEffort(draft: Draft, effort: Effort, context: UpdateContext): void {
  const { effortAllocation: current } = draft;
  validateAssignees(effort.responsibleAllocation ?? [], context, 'effortAllocation');
  // Omitted members are removed, except the allocations of assignees.
  const dropsMember = Object.keys(current ?? {}).some((name) => !Object.hasOwn(effort, name));
  if (dropsMember) context.assume('effort-replaced');
  const responsibleAllocation = effort.responsibleAllocation ?? current?.responsibleAllocation;
  draft.effortAllocation =
    responsibleAllocation === undefined
      ? effort
      : { allocatedEffort: sumMinutes(responsibleAllocation), ...effort, responsibleAllocation };
}

function reallocate(draft: Draft, allocations: Allocations, context: UpdateContext): void {
  const { effortAllocation: current } = draft;
  validateAssignees(allocations, context, 'setResponsibleAllocation');
  const byAssignee = new Map(
    [...(current?.responsibleAllocation ?? []), ...allocations].map((row) => [assigneeKey(row), row]),
  );
  const responsibleAllocation = [...byAssignee.values()];
  // In this mode, each day is set freely.
  const allocatedEffort = sumMinutes(responsibleAllocation);
  draft.effortAllocation = { mode: 'Flexible', ...current, responsibleAllocation, allocatedEffort };
}
