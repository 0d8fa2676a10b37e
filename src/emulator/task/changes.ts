// Which events a changed task causes, with what was there before. Who is told of them is hooks/publish.ts.

import type { EventName } from '../../contract/event.ts';
import type { TaskDates } from '../../contract/task.ts';
import type { Store, StoredTask } from '../store.ts';
import { eventText } from './custom-field-value.ts';
import { removed } from './draft.ts';

export interface Change {
  readonly event: EventName;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Where it is told: the folders of the task, and for a moved task those that it left too. */
  readonly placeIds: readonly string[];
}

/** Dates have other names in events than in records. */
export function eventDates({
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
export function changesOf(store: Store, before: StoredTask, after: StoredTask): readonly Change[] {
  const changes: Change[] = [];
  const tell = (event: EventName, payload: Change['payload'], placeIds = after.parentIds) => {
    changes.push({ event, payload, placeIds });
  };
  // Coming back from the recycle bin is no move between folders, and no event is shown for it.
  const earlierParents =
    before.scope === 'RbTask' && after.scope === 'WsTask' ? before.formerParentIds : before.parentIds;
  const bothParents = [...new Set([...earlierParents, ...after.parentIds])];
  const lists = (
    plus: EventName,
    minus: EventName,
    name: string,
    was: readonly string[],
    is: readonly string[],
  ) => {
    const [more, less] = [removed(is, was), removed(was, is)];
    if (more.length > 0) tell(plus, { [`added${name}`]: more }, bothParents);
    if (less.length > 0) tell(minus, { [`removed${name}`]: less }, bothParents);
  };

  if (before.title !== after.title) tell('TaskTitleChanged', { oldValue: before.title, title: after.title });
  if (before.importance !== after.importance) {
    tell('TaskImportanceChanged', { oldValue: before.importance, importance: after.importance });
  }
  if (before.status !== after.status || before.customStatusId !== after.customStatusId) {
    tell('TaskStatusChanged', {
      oldStatus: before.status,
      status: after.status,
      oldCustomStatusId: before.customStatusId,
      customStatusId: after.customStatusId,
    });
  }
  if (!same(before.dates, after.dates)) {
    tell('TaskDatesChanged', { oldValue: eventDates(before.dates), dates: eventDates(after.dates) });
  }
  lists('TaskParentsAdded', 'TaskParentsRemoved', 'Parents', earlierParents, after.parentIds);
  lists(
    'TaskResponsiblesAdded',
    'TaskResponsiblesRemoved',
    'Responsibles',
    before.responsibleIds,
    after.responsibleIds,
  );
  lists('TaskSharedsAdded', 'TaskSharedsRemoved', 'Shareds', before.sharedIds, after.sharedIds);
  if (before.description !== after.description) tell('TaskDescriptionChanged', {});
  for (const payload of fieldChanges(store, before, after)) tell('TaskCustomFieldChanged', payload);
  if (before.customItemTypeId !== after.customItemTypeId && after.customItemTypeId !== undefined) {
    tell('WorkItemTypeChanged', {
      oldWorkItemTypeId: before.customItemTypeId ?? null,
      newWorkItemTypeId: after.customItemTypeId,
      newWorkItemTypeTitle: store.customItemTypes.get(after.customItemTypeId)?.title,
    });
  }
  return changes;
}

function fieldChanges(store: Store, before: StoredTask, after: StoredTask): readonly Change['payload'][] {
  if (before.customFields === after.customFields) return [];
  const was = new Map(before.customFields.map(({ id, value }) => [id, value]));
  const is = new Map(after.customFields.map(({ id, value }) => [id, value]));
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((id) => was.get(id) !== is.get(id))
    .map((id) => {
      const type = store.customFields.get(id)?.type ?? 'Text';
      return {
        customFieldId: id,
        oldValue: eventText(type, was.get(id)),
        value: eventText(type, is.get(id)),
      };
    });
}
