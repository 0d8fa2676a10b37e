// What puts an update back: for each parameter, the parameters that restore the value before, or why none can. A new
// parameter does not compile without its way back.

import type { Task, TaskDates, TaskUpdate } from '../../../contract/task.ts';
import { type ParameterName, parameterNames } from '../short/kinds.ts';
import { type ListParameter, lists } from './lists.ts';

export interface Back {
  readonly update: TaskUpdate;
  /** A sentence each. */
  readonly cannot: readonly string[];
}

type Way = { readonly update: TaskUpdate } | { readonly cannot: string };
type Ways = {
  readonly [K in ParameterName]: (
    sent: NonNullable<TaskUpdate[K]>,
    before: Task,
    now: Task | undefined,
  ) => Way;
};

const nothing: Way = { update: {} };

/** Of what was added, what was not there before; of what was removed, what was. */
const added = (sent: readonly string[], before: readonly string[] = []) =>
  sent.filter((id) => !before.includes(id));
const removed = (sent: readonly string[], before: readonly string[] = []) =>
  sent.filter((id) => before.includes(id));

type Undone = Exclude<ListParameter, 'addFollowers'>;
type ListWay = (sent: readonly string[], before: Task, now: Task | undefined) => Way;

/** What is not there now needs no taking away, and what is there no adding. */
function inList(name: Undone): ListWay {
  const { ids, adds, back } = lists[name];
  return (sent, { [ids]: before }, now) => {
    const there = now?.[ids];
    const changed = adds ? added(sent, before) : removed(sent, before);
    return list(
      back,
      changed.filter((id) => there === undefined || there.includes(id) === adds),
    );
  };
}

function list<K extends ParameterName>(name: K, ids: readonly string[]): Way {
  return ids.length === 0 ? nothing : { update: { [name]: ids } };
}

function value<K extends ParameterName>(name: K, before: TaskUpdate[K], what: string): Way {
  return before === undefined
    ? { cannot: `${what}: there was none before, and no call takes it away` }
    : { update: { [name]: before } };
}

const place: Way = { cannot: 'the place in the list: the service only moves a task next to another' };

function effort({ effortAllocation }: Task): Way {
  return value('effortAllocation', effortAllocation, 'the effort');
}

function status({ customStatusId, status: before }: Task): Way {
  return customStatusId === undefined
    ? value('status', before, 'the status')
    : { update: { customStatus: customStatusId } };
}

function dates(sent: TaskDates, before: TaskDates | undefined): Way {
  if (before?.type === undefined) return { cannot: 'the dates: the service did not show them before' };
  const { type, start, due, duration, workOnWeekends } = before;
  // Where it was not shown it was not set.
  const changed = sent.workOnWeekends !== undefined || workOnWeekends !== undefined;
  const weekends = changed ? { workOnWeekends: workOnWeekends ?? false } : {};
  if (type === 'Backlog')
    return { update: { dates: { type, ...(duration === undefined ? {} : { duration }) } } };
  if (due === undefined) return { cannot: 'the dates: there was no due date before' };
  if (type === 'Milestone') return { update: { dates: { type, due } } };
  if (start === undefined) return { cannot: 'the dates: there was no start before' };
  return { update: { dates: { type, start, due, ...weekends } } };
}

const ways: Ways = {
  title: (_, before) => value('title', before.title, 'the title'),
  description: (_, before) => value('description', before.description, 'the description'),
  status: (_, before) => status(before),
  importance: (_, before) => value('importance', before.importance, 'the importance'),
  dates: (sent, before) => dates(sent, before.dates),
  addParents: inList('addParents'),
  removeParents: inList('removeParents'),
  addShareds: inList('addShareds'),
  removeShareds: inList('removeShareds'),
  addResponsibles: inList('addResponsibles'),
  removeResponsibles: inList('removeResponsibles'),
  addResponsiblePlaceholders: inList('addResponsiblePlaceholders'),
  removeResponsiblePlaceholders: inList('removeResponsiblePlaceholders'),
  addFollowers(sent, { followerIds }) {
    const new_ = added(sent, followerIds);
    if (new_.length === 0) return nothing;
    return { cannot: `the followers ${new_.join(', ')}: the service has no call that removes one` };
  },
  follow: (_, { followedByMe }) => value('follow', followedByMe, 'following'),
  priorityBefore: () => place,
  priorityAfter: () => place,
  addSuperTasks: inList('addSuperTasks'),
  removeSuperTasks: inList('removeSuperTasks'),
  metadata: (sent, before) => ({
    update: {
      metadata: sent.map(({ key }) => ({
        key,
        value: before.metadata?.find((one) => one.key === key)?.value ?? null,
      })),
    },
  }),
  customFields(sent, before, now) {
    const of = (task: Task, id: string) => task.customFields?.find((one) => one.id === id);
    const changed = sent.filter(({ id }) => now === undefined || of(before, id) || of(now, id));
    const customFields = changed.map(({ id }) => ({ id, value: of(before, id)?.value ?? null }));
    return customFields.length === 0 ? nothing : { update: { customFields } };
  },
  customStatus: (_, before) => status(before),
  restore: (sent, { scope }) =>
    sent && scope === 'RbTask'
      ? { cannot: 'the restoring: no call puts a task into the recycle bin' }
      : nothing,
  effortAllocation: (_, before) => effort(before),
  setResponsibleAllocation: (_, before) => effort(before),
  billingType: (_, before) => value('billingType', before.billingType, 'the billing type'),
  withInvitations: () => nothing,
  convertToCustomItemType: (_, before) =>
    value('convertToCustomItemType', before.customItemTypeId, 'the custom item type'),
  plainTextCustomFields: () => nothing,
  workScheduleId: (_, before) => value('workScheduleId', before.workScheduleId, 'the work schedule'),
  fields: () => nothing,
};

/**
 * `now`: the task as it is, for an update of which a part may not have come to it, since the service refused that. What
 * would be refused once more is left out.
 */
export function wayBack(sent: TaskUpdate, before: Task, now?: Task): Back {
  const found = parameterNames.flatMap((name) => wayOf(name, sent, before, now));
  const update = Object.assign({}, ...found.map((way) => ('update' in way ? way.update : {})));
  return { update, cannot: [...new Set(found.flatMap((way) => ('cannot' in way ? [way.cannot] : [])))] };
}

function wayOf<K extends ParameterName>(
  name: K,
  sent: TaskUpdate,
  before: Task,
  now: Task | undefined,
): readonly Way[] {
  const was: TaskUpdate[K] = sent[name];
  return was === undefined ? [] : [ways[name](was, before, now)];
}
