// What each of the parameters of a task update does to the task. The type demands an effect for every parameter of the
// contract, so a new row there does not compile before it has one here. Looking things up is look-up.ts, dates are
// dates.ts; which events follow is changes.ts.

import { timestamp } from '../../contract/date.ts';
import { statusOfEveryLicence, type TaskUpdate } from '../../contract/task.ts';
import { checking, invalidParameter, Refusal } from '../refusal.ts';
import type { StoredTask } from '../store.ts';
import { checkCustomFieldValue } from './custom-field-value.ts';
import { reschedule } from './dates.ts';
import { type Around, added, type Draft, removed } from './draft.ts';
import { reallocate, replaceEffort } from './effort.ts';
import { reduceHtml } from './html.ts';
import { folders, isUser, owned, people, tasks } from './look-up.ts';
import { keyBeside } from './priority.ts';

type Name = keyof TaskUpdate;
export type Effect<P extends Name> = (
  draft: Draft,
  value: NonNullable<TaskUpdate[P]>,
  around: Around,
  update: TaskUpdate,
) => void;
export type Effects = { readonly [P in Name]: Effect<P> };

/** For what only shapes the answer: see shown.ts. */
const none = () => undefined;

function setStatus(draft: Draft, status: StoredTask['status'], around: Around): void {
  if (status === draft.status) return;
  draft.status = status;
  if (status === 'Completed') draft.completedDate = timestamp(around.now);
}

function needsLicence(status: StoredTask['status'], { user }: Around): void {
  if (status !== statusOfEveryLicence && user.licence === 'lowest') {
    throw new Refusal('not_allowed', `The licence does not include the status ${status}`);
  }
}

/** The workflow that a task is in: the one that its status belongs to. */
function workflowOf(draft: Draft, { store, account }: Around) {
  const own = [...store.workflows.values()].filter((one) => one.accountId === account.id);
  return (
    own.find(({ statuses }) => statuses.some(({ id }) => id === draft.customStatusId)) ??
    own.find((one) => one.standard)
  );
}

function move(draft: Draft, id: string, around: Around, side: 'before' | 'after'): void {
  const parameter = side === 'before' ? 'priorityBefore' : 'priorityAfter';
  const [neighbour] = tasks(around, parameter, [id]);
  if (neighbour === undefined || id === draft.id)
    throw invalidParameter(parameter, `${id} is the task itself`);
  draft.priority = keyBeside(around.store.tasks.values(), draft.id, neighbour, side);
}

/** True where `id` is `above` or hangs somewhere below it. */
function isBelow({ store }: Around, id: string, above: string): boolean {
  const seen = new Set<string>();
  const next = [id];
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (one === above) return true;
    if (seen.has(one)) continue;
    seen.add(one);
    next.push(...(store.tasks.get(one)?.superTaskIds ?? []));
  }
  return false;
}

export const effects: Effects = {
  title(draft, title) {
    draft.title = title;
  },
  description(draft, html, { workspace }) {
    draft.description = reduceHtml(html, { workspace, images: draft.attachments.map(({ url }) => url) });
  },
  status(draft, status, around) {
    needsLicence(status, around);
    if (status === draft.status) return;
    const custom = workflowOf(draft, around)?.statuses.find(({ group }) => group === status);
    if (custom) draft.customStatusId = custom.id;
    setStatus(draft, status, around);
  },
  importance(draft, importance) {
    draft.importance = importance;
  },
  dates(draft, dates, { account }) {
    draft.dates = checking('dates', () => reschedule(draft.dates, dates, account.workDays));
  },
  addParents(draft, ids, around) {
    folders(around, 'addParents', ids);
    draft.parentIds = added(draft.parentIds, ids);
  },
  removeParents(draft, ids, around) {
    folders(around, 'removeParents', ids);
    draft.parentIds = removed(draft.parentIds, ids);
  },
  addShareds(draft, ids, around) {
    people(around, 'addShareds', ids);
    draft.sharedIds = added(draft.sharedIds, ids);
  },
  removeShareds(draft, ids, around) {
    people(around, 'removeShareds', ids);
    draft.sharedIds = removed(draft.sharedIds, ids);
  },
  addResponsibles(draft, ids, around) {
    people(around, 'addResponsibles', ids);
    draft.responsibleIds = added(draft.responsibleIds, ids);
  },
  removeResponsibles(draft, ids, around) {
    people(around, 'removeResponsibles', ids);
    draft.responsibleIds = removed(draft.responsibleIds, ids);
  },
  addResponsiblePlaceholders(draft, ids, around) {
    for (const id of ids)
      owned(around, 'addResponsiblePlaceholders', 'a placeholder', around.store.placeholders, id);
    draft.responsiblePlaceholderIds = added(draft.responsiblePlaceholderIds, ids);
  },
  removeResponsiblePlaceholders(draft, ids, around) {
    for (const id of ids)
      owned(around, 'removeResponsiblePlaceholders', 'a placeholder', around.store.placeholders, id);
    draft.responsiblePlaceholderIds = removed(draft.responsiblePlaceholderIds, ids);
  },
  addFollowers(draft, ids, around) {
    people(around, 'addFollowers', ids, false);
    draft.followerIds = added(draft.followerIds, ids);
  },
  follow(draft, follow, { user }) {
    draft.followerIds = follow ? added(draft.followerIds, [user.id]) : removed(draft.followerIds, [user.id]);
  },
  priorityBefore(draft, id, around) {
    move(draft, id, around, 'before');
  },
  priorityAfter(draft, id, around, { priorityBefore }) {
    move(draft, id, around, 'after');
    const next = priorityBefore === undefined ? undefined : around.store.tasks.get(priorityBefore);
    if (next !== undefined && draft.priority >= next.priority) {
      throw invalidParameter('priorityAfter', `${id} stands after ${next.id}, which priorityBefore names`);
    }
  },
  addSuperTasks(draft, ids, around) {
    tasks(around, 'addSuperTasks', ids);
    const loop = ids.find((id) => isBelow(around, id, draft.id));
    if (loop !== undefined) throw invalidParameter('addSuperTasks', `${loop} is the task itself or below it`);
    draft.superTaskIds = added(draft.superTaskIds, ids);
  },
  removeSuperTasks(draft, ids, around) {
    tasks(around, 'removeSuperTasks', ids);
    draft.superTaskIds = removed(draft.superTaskIds, ids);
  },
  metadata(draft, entries) {
    const all = new Map(draft.metadata.map(({ key, value }) => [key, value]));
    for (const { key, value } of entries) {
      if (value === null) all.delete(key);
      else all.set(key, value);
    }
    draft.metadata = [...all].map(([key, value]) => ({ key, value }));
  },
  customFields(draft, entries, around) {
    const all = new Map(draft.customFields.map(({ id, value }) => [id, value]));
    for (const { id, value } of entries) {
      const field = owned(around, 'customFields', 'a custom field', around.store.customFields, id);
      if (value === null) {
        all.delete(id);
      } else {
        checking('customFields', () => checkCustomFieldValue(field, value, (one) => isUser(around, one)));
        all.set(id, value);
      }
    }
    draft.customFields = [...all].map(([id, value]) => ({ id, value }));
  },
  customStatus(draft, id, around, { status }) {
    const known = [...around.store.workflows.values()]
      .filter(({ accountId }) => accountId === around.account.id)
      .flatMap(({ statuses }) => statuses)
      .find((one) => one.id === id);
    if (known === undefined) throw invalidParameter('customStatus', `${id} is not a status of a workflow`);
    needsLicence(known.group, around);
    if (status !== undefined && status !== known.group) {
      throw invalidParameter('customStatus', `${id} belongs to ${known.group}, and status is ${status}`);
    }
    setStatus(draft, known.group, around);
    draft.customStatusId = id;
  },
  restore(draft, restore) {
    if (!restore || draft.scope !== 'RbTask') return;
    draft.scope = 'WsTask';
    draft.parentIds = draft.formerParentIds;
    draft.formerParentIds = [];
  },
  effortAllocation(draft, effort, around) {
    draft.effortAllocation = replaceEffort(draft.effortAllocation, effort, around, 'effortAllocation');
  },
  setResponsibleAllocation(draft, allocations, around) {
    draft.effortAllocation = reallocate(draft.effortAllocation, allocations, around);
  },
  billingType(draft, billingType) {
    draft.billingType = billingType;
  },
  convertToCustomItemType(draft, id, around) {
    const type = owned(
      around,
      'convertToCustomItemType',
      'a custom item type',
      around.store.customItemTypes,
      id,
    );
    if (type.relatedType !== 'Task')
      throw invalidParameter('convertToCustomItemType', `${id} is a type of projects`);
    draft.customItemTypeId = id;
  },
  workScheduleId(draft, id, around) {
    owned(around, 'workScheduleId', 'a work schedule', around.store.workSchedules, id);
    draft.workScheduleId = id;
  },
  withInvitations: none,
  plainTextCustomFields: none,
  fields: none,
};
