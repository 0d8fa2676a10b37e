// The parts of a task that an update changes. A new parameter does not compile without its parts.

import {
  type Task,
  type TaskUpdate,
  type TaskUpdateParameter,
  taskUpdateParameterNames,
} from '#contract/task.ts';
import { datesPart } from './dates-part.ts';
import { allocationPart, effortPart } from './effort-part.ts';
import {
  customFieldPart,
  isListParameter,
  type ListParameter,
  listParts,
  metadataPart,
} from './list-part.ts';
import { member, neverRestored, noValueText, type Part, withMembers } from './part.ts';

/** Of the parameters that do not only add to a list or remove from it. */
type PartsByParameter = {
  readonly [K in Exclude<TaskUpdateParameter, ListParameter>]: (
    sent: NonNullable<TaskUpdate[K]>,
  ) => readonly Part[];
};

const noParts = () => [];
const noneBefore = 'there was none before, and no request removes it';

type Changed = Parameters<typeof withMembers>[1];

/** Each custom status belongs to one of the four statuses, so setting one sets the other. */
function status(key: 'status' | 'customStatusId', changed: Changed): readonly Part[] {
  return [
    {
      name: 'status',
      members: ['status', 'customStatusId'],
      read: ({ status: standard, customStatusId }) => standard && [standard, customStatusId],
      format: ({ status: standard, customStatusId }) =>
        [standard, customStatusId].filter(Boolean).join(' ') || noValueText,
      current: (task) => task[key],
      apply: (task) => withMembers(task, changed),
      matches: (now) => now[key] === changed[key],
      copy: ({ status: standard, customStatusId }, onto) =>
        withMembers(onto, { status: standard, customStatusId }),
      inverse({ status: standard, customStatusId }) {
        if (customStatusId !== undefined) return { update: { customStatus: customStatusId } };
        if (standard !== undefined) return { update: { status: standard } };
        return { notRestorable: 'the status: the service did not show it before' };
      },
    },
  ];
}

/** The priority is the key that orders the list. The service can only move a task next to another task. */
const placeInList: readonly Part[] = [
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

const partsByParameter: PartsByParameter = {
  title: (sent) => [member('title', 'title', sent, 'title')],
  description: (sent) => [member('description', 'description', sent, 'description')],
  status: (sent) => status('status', { status: sent, customStatusId: undefined }),
  importance: (sent) => [member('importance', 'importance', sent, 'importance')],
  dates: (sent) => [datesPart(sent)],
  follow: (sent) => [member('following', 'followedByMe', sent, 'follow')],
  priorityBefore: () => placeInList,
  priorityAfter: () => placeInList,
  metadata: (sent) => sent.map(metadataPart),
  customFields: (sent) => sent.map(customFieldPart),
  customStatus: (sent) => status('customStatusId', { customStatusId: sent }),
  restore: (sent) => (sent ? [recycleBin] : []),
  effortAllocation: (sent) => [effortPart(sent)],
  setResponsibleAllocation: (sent) => [allocationPart(sent)],
  billingType: (sent) => [member('billing type', 'billingType', sent, 'billingType', noneBefore)],
  withInvitations: noParts,
  convertToCustomItemType: (sent) => [
    member('item type', 'customItemTypeId', sent, 'convertToCustomItemType', noneBefore),
  ],
  plainTextCustomFields: noParts,
  workScheduleId: (sent) => [member('work schedule', 'workScheduleId', sent, 'workScheduleId', noneBefore)],
  fields: noParts,
};

/** By name. If two parameters change the same part, the later parameter counts. */
export function partsChangedBy(update: TaskUpdate): ReadonlyMap<string, Part> {
  const all = taskUpdateParameterNames.flatMap((name) => partsOf(name, update));
  const { addResponsibles: ids = [] } = update;
  // Users who are assigned also share the task and follow it; nothing changes for those who were assigned before.
  const shares = ids.flatMap((id) =>
    listParts('addShareds', [id]).map((part): Part => {
      return { ...part, apply: (task) => (task.responsibleIds?.includes(id) ? task : part.apply(task)) };
    }),
  );
  const implied = ids.length === 0 ? [] : [...shares, ...listParts('addFollowers', ids)];
  return new Map([...implied, ...all].map((part) => [part.name, part]));
}

/** The current value of a parameter that sets one value of the task. */
export function currentValue(name: TaskUpdateParameter, update: TaskUpdate, task: Task): string | undefined {
  return partsOf(name, update)[0]?.current?.(task);
}

function partsOf(name: TaskUpdateParameter, update: TaskUpdate): readonly Part[] {
  if (isListParameter(name)) return update[name] === undefined ? [] : listParts(name, update[name]);
  return otherPartsOf(name, update);
}

function otherPartsOf<K extends keyof PartsByParameter>(name: K, update: TaskUpdate): readonly Part[] {
  const sent: TaskUpdate[K] = update[name];
  return sent === undefined || sent === null ? [] : partsByParameter[name](sent);
}
