// The parts of a task that an update changes. A new parameter does not compile without its parts.

import type { Task, TaskUpdate } from '#contract/task.ts';
import { type TaskUpdateParameter, taskUpdateParameterNames } from '#contract/task.ts';
import { datesPart } from './dates-part.ts';
import { allocationPart, effortPart } from './effort-part.ts';
import { customFieldPart, followerParts, listParts, metadataPart } from './list-part.ts';
import { member, neverRestored, noValueText, type Part, withMembers } from './part.ts';

type PartsOf = { readonly [K in TaskUpdateParameter]: (sent: NonNullable<TaskUpdate[K]>) => readonly Part[] };

const nothing = () => [];
const noneBefore = 'there was none before, and no request removes it';

/** Each custom status belongs to one of the four statuses, so setting one sets the other. */
function status(
  key: 'status' | 'customStatusId',
  apply: Part['apply'],
  matches: Part['matches'],
): readonly Part[] {
  return [
    {
      name: 'status',
      members: ['status', 'customStatusId'],
      read: ({ status: one, customStatusId }) => one && [one, customStatusId],
      format: ({ status: one, customStatusId }) =>
        [one, customStatusId].filter(Boolean).join(' ') || noValueText,
      current: (task) => task[key],
      apply,
      matches,
      copy: ({ status: one, customStatusId }, onto) => withMembers(onto, { status: one, customStatusId }),
      inverse({ status: one, customStatusId }) {
        if (customStatusId !== undefined) return { update: { customStatus: customStatusId } };
        if (one !== undefined) return { update: { status: one } };
        return { notRestorable: 'the status: the service did not show it before' };
      },
    },
  ];
}

/** The key that orders the list. The service can only move a task next to another one. */
const place: readonly Part[] = [
  {
    name: 'place in the list',
    members: ['priority'],
    read: ({ priority }) => priority,
    ...neverRestored,
    apply: (task) => withMembers(task, { priority: undefined }),
    inverse: () => ({
      notRestorable: 'the place in the list: the service can only move a task next to another one',
    }),
  },
];

const recycleBin: Part = {
  name: 'recycle bin',
  members: ['scope'],
  read: ({ scope }) => scope,
  ...neverRestored,
  apply: (task) => withMembers(task, { scope: 'WsTask' }),
  inverse: () => ({
    notRestorable: 'the recycle bin: no request moves a task there, so the task stays in its folders',
  }),
};

const partsOf: PartsOf = {
  title: (sent) => [member('title', 'title', sent, (title) => ({ title }))],
  description: (sent) => [member('description', 'description', sent, (description) => ({ description }))],
  status: (sent) =>
    status(
      'status',
      (task) => withMembers(task, { status: sent, customStatusId: undefined }),
      (now) => now.status === sent,
    ),
  importance: (sent) => [member('importance', 'importance', sent, (importance) => ({ importance }))],
  dates: (sent) => [datesPart(sent)],
  addParents: (sent) => listParts('addParents', sent),
  removeParents: (sent) => listParts('removeParents', sent),
  addShareds: (sent) => listParts('addShareds', sent),
  removeShareds: (sent) => listParts('removeShareds', sent),
  addResponsibles: (sent) => listParts('addResponsibles', sent),
  removeResponsibles: (sent) => listParts('removeResponsibles', sent),
  addResponsiblePlaceholders: (sent) => listParts('addResponsiblePlaceholders', sent),
  removeResponsiblePlaceholders: (sent) => listParts('removeResponsiblePlaceholders', sent),
  addFollowers: (sent) => followerParts(sent),
  follow: (sent) => [member('following', 'followedByMe', sent, (follow) => ({ follow }))],
  priorityBefore: () => place,
  priorityAfter: () => place,
  addSuperTasks: (sent) => listParts('addSuperTasks', sent),
  removeSuperTasks: (sent) => listParts('removeSuperTasks', sent),
  metadata: (sent) => sent.map(metadataPart),
  customFields: (sent) => sent.map(customFieldPart),
  customStatus: (sent) =>
    status(
      'customStatusId',
      (task) => withMembers(task, { customStatusId: sent }),
      (now) => now.customStatusId === sent,
    ),
  restore: (sent) => (sent ? [recycleBin] : []),
  effortAllocation: (sent) => [effortPart(sent)],
  setResponsibleAllocation: (sent) => [allocationPart(sent)],
  billingType: (sent) => [
    member('billing type', 'billingType', sent, (billingType) => ({ billingType }), noneBefore),
  ],
  withInvitations: nothing,
  convertToCustomItemType: (sent) => [
    member(
      'item type',
      'customItemTypeId',
      sent,
      (convertToCustomItemType) => ({ convertToCustomItemType }),
      noneBefore,
    ),
  ],
  plainTextCustomFields: nothing,
  workScheduleId: (sent) => [
    member('work schedule', 'workScheduleId', sent, (workScheduleId) => ({ workScheduleId }), noneBefore),
  ],
  fields: nothing,
};

/** By name. If two parameters change the same part, the later one counts. */
export function partsChangedBy(update: TaskUpdate): ReadonlyMap<string, Part> {
  const all = taskUpdateParameterNames.flatMap((name) => partsOfOne(name, update));
  return new Map(all.map((part) => [part.name, part]));
}

/** The current value of a parameter that sets one value of the task. */
export function currentValue(name: TaskUpdateParameter, update: TaskUpdate, task: Task): string | undefined {
  const [part] = partsOfOne(name, update);
  return part?.current(task);
}

function partsOfOne<K extends TaskUpdateParameter>(name: K, update: TaskUpdate): readonly Part[] {
  const sent: TaskUpdate[K] = update[name];
  return sent === undefined || sent === null ? [] : partsOf[name](sent);
}
