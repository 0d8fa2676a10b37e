// The events that a changed task causes, with the old values. dispatch/dispatch.ts finds the webhooks that get them.

import type { EventName } from '#contract/event.ts';
import type { TaskDates } from '#contract/task.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredTask } from '../state/store.ts';
import { toEventText } from './custom-field-value.ts';
import { removed } from './draft.ts';

export interface TaskChange {
  readonly event: EventName;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The folders whose webhooks receive it: the task's, and the previous ones of a moved task. */
  readonly placeIds: readonly string[];
}

/** Dates have other names in events than in records. */
export function toEventDates({
  type,
  start,
  due,
  duration,
  workOnWeekends,
}: TaskDates): Readonly<Record<string, unknown>> {
  return { type, startDate: start, dueDate: due, duration, workOnWeekends };
}

const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** In the contract's order of events. `before` and `after` are the same task. */
export function listTaskChanges(store: Store, before: StoredTask, after: StoredTask): readonly TaskChange[] {
  const changes: TaskChange[] = [];
  const add = (event: EventName, payload: TaskChange['payload'], placeIds = after.parentIds) => {
    changes.push({ event, payload, placeIds });
  };
  // Restoring a task is not a move between folders, and the contract shows no event for it.
  const earlierParents =
    before.scope === 'RbTask' && after.scope === 'WsTask' ? before.formerParentIds : before.parentIds;
  const bothParents = [...new Set([...earlierParents, ...after.parentIds])];
  const addListChange = (
    plus: EventName,
    minus: EventName,
    name: string,
    was: readonly string[],
    is: readonly string[],
  ) => {
    const [more, less] = [removed(is, was), removed(was, is)];
    if (more.length > 0) add(plus, { [`added${name}`]: more }, bothParents);
    if (less.length > 0) add(minus, { [`removed${name}`]: less }, bothParents);
  };

  if (before.title !== after.title) add('TaskTitleChanged', { oldValue: before.title, title: after.title });
  if (before.importance !== after.importance) {
    add('TaskImportanceChanged', { oldValue: before.importance, importance: after.importance });
  }
  if (before.status !== after.status || before.customStatusId !== after.customStatusId) {
    add('TaskStatusChanged', {
      oldStatus: before.status,
      status: after.status,
      oldCustomStatusId: before.customStatusId,
      customStatusId: after.customStatusId,
    });
  }
  if (!same(before.dates, after.dates)) {
    add('TaskDatesChanged', { oldValue: toEventDates(before.dates), dates: toEventDates(after.dates) });
  }
  addListChange('TaskParentsAdded', 'TaskParentsRemoved', 'Parents', earlierParents, after.parentIds);
  addListChange(
    'TaskResponsiblesAdded',
    'TaskResponsiblesRemoved',
    'Responsibles',
    before.responsibleIds,
    after.responsibleIds,
  );
  addListChange('TaskSharedsAdded', 'TaskSharedsRemoved', 'Shareds', before.sharedIds, after.sharedIds);
  if (before.description !== after.description) add('TaskDescriptionChanged', {});
  for (const payload of listFieldChanges(store, before, after)) add('TaskCustomFieldChanged', payload);
  if (before.customItemTypeId !== after.customItemTypeId && after.customItemTypeId !== undefined) {
    add('WorkItemTypeChanged', {
      oldWorkItemTypeId: before.customItemTypeId ?? null,
      newWorkItemTypeId: after.customItemTypeId,
      newWorkItemTypeTitle: store.customItemTypes.get(after.customItemTypeId)?.title,
    });
  }
  return changes;
}

function listFieldChanges(
  store: Store,
  before: StoredTask,
  after: StoredTask,
): readonly TaskChange['payload'][] {
  if (before.customFields === after.customFields) return [];
  const was = new Map(before.customFields.map(({ id, value }) => [id, value]));
  const is = new Map(after.customFields.map(({ id, value }) => [id, value]));
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((id) => was.get(id) !== is.get(id))
    .map((id) => {
      const type = requireEntry(store.customFields, id).type;
      return {
        customFieldId: id,
        oldValue: toEventText(type, was.get(id)),
        value: toEventText(type, is.get(id)),
      };
    });
}
