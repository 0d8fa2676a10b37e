// Finds the events that a changed task causes, with old values. dispatch/dispatch.ts finds their webhooks.

import type { EventName } from '#contract/event.ts';
import type { TaskDates } from '#contract/task.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredTask } from '../state/store.ts';
import { toEventText } from './custom-field-value.ts';
import { removed } from './draft.ts';

type Payload = Readonly<Record<string, unknown>>;

/** `placeIds`: webhooks on these folders receive it: the folders of the task, and the previous folders of a moved task. */
type Emit = (event: EventName, payload: Payload, placeIds: readonly string[]) => void;

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

export const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Calls `emit` for each event, in the contract's order. */
export function emitTaskChanges(store: Store, before: StoredTask, after: StoredTask, emit: Emit): void {
  const add = (event: EventName, payload: Payload, placeIds = after.parentIds) =>
    emit(event, payload, placeIds);
  // The contract shows no event for restoring, which is not a move between folders.
  const earlierParents =
    before.scope === 'RbTask' && after.scope === 'WsTask' ? before.formerParentIds : before.parentIds;
  const bothParents = [...new Set([...earlierParents, ...after.parentIds])];
  const addListChange = (
    name: 'Parents' | 'Responsibles' | 'Shareds',
    oldIds: readonly string[],
    newIds: readonly string[],
  ) => {
    const [addedIds, removedIds] = [removed(newIds, oldIds), removed(oldIds, newIds)];
    if (addedIds.length > 0) add(`Task${name}Added`, { [`added${name}`]: addedIds }, bothParents);
    if (removedIds.length > 0) add(`Task${name}Removed`, { [`removed${name}`]: removedIds }, bothParents);
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
  if (!isSame(before.dates, after.dates)) {
    add('TaskDatesChanged', { oldValue: toEventDates(before.dates), dates: toEventDates(after.dates) });
  }
  addListChange('Parents', earlierParents, after.parentIds);
  addListChange('Responsibles', before.responsibleIds, after.responsibleIds);
  addListChange('Shareds', before.sharedIds, after.sharedIds);
  if (before.description !== after.description) add('TaskDescriptionChanged', {});
  for (const payload of listFieldChanges(store, before, after)) add('TaskCustomFieldChanged', payload);
  if (before.customItemTypeId !== after.customItemTypeId && after.customItemTypeId !== undefined) {
    add('WorkItemTypeChanged', {
      oldWorkItemTypeId: before.customItemTypeId ?? null,
      newWorkItemTypeId: after.customItemTypeId,
      newWorkItemTypeTitle: store.customItemTypes.get(after.customItemTypeId)?.title,
    });
  }
}

function listFieldChanges(store: Store, before: StoredTask, after: StoredTask): readonly Payload[] {
  if (before.customFields === after.customFields) return [];
  const oldValues = new Map(before.customFields.map(({ id, value }) => [id, value]));
  const newValues = new Map(after.customFields.map(({ id, value }) => [id, value]));
  return [...new Set([...oldValues.keys(), ...newValues.keys()])]
    .filter((id) => oldValues.get(id) !== newValues.get(id))
    .map((id) => {
      const type = requireEntry(store.customFields, id).type;
      return {
        customFieldId: id,
        oldValue: toEventText(type, oldValues.get(id)),
        value: toEventText(type, newValues.get(id)),
      };
    });
}
