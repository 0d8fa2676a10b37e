// Finds the events that a changed task or folder causes, with old values. dispatch/dispatch.ts finds their webhooks.

import type { EventName } from '#contract/event.ts';
import type { TaskDates } from '#contract/task.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { isTask, requireEntry, type Subject } from '../state/access.ts';
import type { Folder, Store } from '../state/store.ts';
import { isSame, removed } from './apply-effects.ts';
import { toEventText } from './custom-field-value.ts';

type Payload = Readonly<Record<string, unknown>>;

/** `placeIds`: webhooks on these folders receive it: the folders of the record, and the previous ones of a moved record. */
type Emit = (event: EventName, payload: Payload, placeIds: readonly string[]) => void;

/** Dates have other names in events than in records. */
export function toEventDates({ type, start, due, duration, workOnWeekends }: TaskDates): Payload {
  return { type, startDate: start, dueDate: due, duration, workOnWeekends };
}

/** The contract shows no event for restoring, which is not a move between folders. */
function placesOf(before: Subject): readonly string[] {
  const isRestored = isTask(before) ? before.scope === 'RbTask' : before.formerParentIds.length > 0;
  return isRestored ? before.formerParentIds : before.parentIds;
}

/** Calls `emit` for each event, in the contract's order. `before` and `after` are of the same kind. */
export function emitChanges(store: Store, before: Subject, after: Subject, emit: Emit): void {
  const add = (event: EventName, payload: Payload, places = after.parentIds) => emit(event, payload, places);
  const kind = isTask(after) ? 'Task' : 'Folder';
  const earlierParents = placesOf(before);
  const bothParents = [...new Set([...earlierParents, ...after.parentIds])];
  const emitList = (
    event: `${typeof kind}${'Parents' | 'Shareds'}` | 'TaskResponsibles' | 'ProjectOwners',
    oldIds: readonly string[],
    newIds: readonly string[],
  ) => {
    const name = event.replace(/^(Task|Folder|Project)/, '');
    const [addedIds, removedIds] = [removed(newIds, oldIds), removed(oldIds, newIds)];
    if (addedIds.length > 0) add(`${event}Added`, { [`added${name}`]: addedIds }, bothParents);
    if (removedIds.length > 0) add(`${event}Removed`, { [`removed${name}`]: removedIds }, bothParents);
  };

  if (before.title !== after.title)
    add(`${kind}TitleChanged`, { oldValue: before.title, title: after.title });
  if (isTask(before) && isTask(after)) {
    if (before.importance !== after.importance)
      add('TaskImportanceChanged', { oldValue: before.importance, importance: after.importance });
    if (before.status !== after.status || before.customStatusId !== after.customStatusId)
      add('TaskStatusChanged', {
        oldStatus: before.status,
        status: after.status,
        oldCustomStatusId: before.customStatusId,
        customStatusId: after.customStatusId,
      });
    if (!isSame(before.dates, after.dates))
      add('TaskDatesChanged', { oldValue: toEventDates(before.dates), dates: toEventDates(after.dates) });
  }
  emitList(`${kind}Parents`, earlierParents, after.parentIds);
  if (isTask(before) && isTask(after))
    emitList('TaskResponsibles', before.responsibleIds, after.responsibleIds);
  emitList(`${kind}Shareds`, before.sharedIds, after.sharedIds);
  if (before.description !== after.description) add(`${kind}DescriptionChanged`, {});
  for (const payload of listFieldChanges(store, before, after)) add(`${kind}CustomFieldChanged`, payload);
  if (!isTask(before) && !isTask(after) && after.project && before.project !== after.project) {
    const [old, current] = [toEventProject(store, before), toEventProject(store, after)];
    if (!isSame(old.dates, current.dates))
      add('ProjectDatesChanged', { oldValue: old.dates, dates: current.dates });
    emitList('ProjectOwners', old.ownerIds, current.ownerIds);
    const { status, customStatusId } = current;
    const [oldStatus, oldCustomStatusId] = [old.status, old.customStatusId];
    if (oldStatus !== undefined && (oldStatus !== status || oldCustomStatusId !== customStatusId))
      add('ProjectStatusChanged', { oldStatus, status, oldCustomStatusId, customStatusId });
  }
  const { customItemTypeId: newId } = after;
  if (isTask(after) && newId !== undefined && before.customItemTypeId !== newId)
    add('WorkItemTypeChanged', {
      oldWorkItemTypeId: before.customItemTypeId ?? null,
      newWorkItemTypeId: newId,
      newWorkItemTypeTitle: store.customItemTypes.get(newId)?.title,
    });
}

/** A project as events show it. A folder that becomes one has no dates, owners and status before. */
function toEventProject({ workflows }: Store, { project }: Folder) {
  const { ownerIds = [], customStatusId, startDate, endDate } = project ?? {};
  const all = [...workflows.values()].flatMap(({ statuses }) => statuses);
  const status = all.find(({ id }) => id === customStatusId)?.group;
  const dates = omitUndefined({ startDate, dueDate: endDate });
  return { ownerIds, customStatusId, dates, status };
}

function listFieldChanges(store: Store, before: Subject, after: Subject): readonly Payload[] {
  if (before.customFields === after.customFields) return [];
  const oldValues = new Map(before.customFields.map(({ id, value }) => [id, value]));
  const newValues = new Map(after.customFields.map(({ id, value }) => [id, value]));
  return [...new Set([...oldValues.keys(), ...newValues.keys()])]
    .filter((id) => oldValues.get(id) !== newValues.get(id))
    .map((id) => {
      const { type } = requireEntry(store.customFields, id);
      const [oldValue, value] = [oldValues, newValues].map((values) => toEventText(type, values.get(id)));
      return { customFieldId: id, oldValue, value };
    });
}
