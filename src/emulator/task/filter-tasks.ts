// Filters and sorts lists of tasks. The filters are assumed: see contract/assumption.ts.

import type { TypeOf } from '#contract/schema.ts';
import { taskImportance, taskStatus } from '#contract/task.ts';
import { type TaskFilters, taskFilters, type taskSortField } from '#contract/task-list.ts';
import { inheritedFolderIds, withAncestors } from '../state/access.ts';
import type { Store, StoredTask } from '../state/store.ts';
import { comparePriority } from '../state/task-map.ts';
import { createSharedFilter } from './custom-field-filter.ts';

const names = Object.keys(taskFilters) as (keyof TaskFilters)[];
/** All except `fields`, which only shapes the records. */
export const filterNames = names.filter((name) => name !== 'fields');

/** `folderId`: only the tasks of this folder or space, of those in its index unless `descendants` or `subTasks` is true. */
export function createFilter(store: Store, filters: TaskFilters, folderId: string | undefined) {
  const { status, customStatuses, importance, type, subTasks } = filters;
  const { authors, responsibles, createdDate, updatedDate, completedDate, startDate, dueDate } = filters;
  const { customItemTypes, billingTypes, scheduledDate } = filters;
  const fits = createSharedFilter(store, filters);
  return (task: StoredTask) =>
    isInFolder(store, task, filters, folderId) &&
    (subTasks !== false || task.superTaskIds.length === 0) &&
    (status === undefined || status.includes(task.status)) &&
    (customStatuses === undefined || customStatuses.includes(task.customStatusId)) &&
    (importance === undefined || task.importance === importance) &&
    (type === undefined || task.dates.type === type) &&
    (authors === undefined || authors.some((id) => task.authorIds.includes(id))) &&
    (responsibles === undefined || responsibles.some((id) => task.responsibleIds.includes(id))) &&
    (customItemTypes === undefined || customItemTypes.includes(task.customItemTypeId ?? '')) &&
    (billingTypes === undefined || billingTypes.includes(task.billingType)) &&
    isInRange(task.createdDate, createdDate) &&
    isInRange(task.updatedDate, updatedDate) &&
    isInRange(task.completedDate, completedDate) &&
    isInRange(task.dates.start, startDate) &&
    isInRange(task.dates.due, dueDate) &&
    meets(task, scheduledDate) &&
    fits(task);
}

function isInFolder(store: Store, task: StoredTask, filters: TaskFilters, folderId?: string): boolean {
  const { descendants, subTasks } = filters;
  if (folderId === undefined) return true;
  // The bin has what was deleted with a folder below that folder.
  if (task.parentIds.includes(folderId)) return task.deletedWith === undefined || descendants === true;
  const inheritedIds = subTasks === true ? inheritedFolderIds(store, task) : [];
  return descendants === true
    ? withAncestors(store, [...task.parentIds, ...inheritedIds]).has(folderId)
    : inheritedIds.includes(folderId);
}

/** Without the end of the range. A day is before its own times. */
const isInRange = (date: string | undefined, range: TaskFilters['createdDate']): boolean =>
  isWithin(date, range) && (range?.end === undefined || (date !== undefined && date < range.end));

/** Whether a part of the task's schedule is in the range. */
function meets({ dates: { start, due } }: StoredTask, range: TaskFilters['scheduledDate']): boolean {
  if (range === undefined) return true;
  const { equal, start: from = equal, end } = range;
  const first = start ?? due;
  return (
    first !== undefined &&
    due !== undefined &&
    (from === undefined || due >= from) &&
    (end === undefined || first < end) &&
    (equal === undefined || first.slice(0, equal.length) <= equal)
  );
}

/** Includes both ends; a day without a time is included completely. */
export function isWithin(date: string | undefined, range: TaskFilters['createdDate']): boolean {
  if (range === undefined) return true;
  if (date === undefined) return false;
  const { start, end, equal } = range;
  return (
    (start === undefined || date >= start) &&
    (end === undefined || date.slice(0, end.length) <= end) &&
    (equal === undefined || date.slice(0, equal.length) === equal)
  );
}

/** Tasks without a key come last in either order. */
const sortKeys: {
  readonly [F in TypeOf<typeof taskSortField>]: (task: StoredTask) => string | number | undefined;
} = {
  CreatedDate: (task) => task.createdDate,
  UpdatedDate: (task) => task.updatedDate,
  LastAccessDate: (task) => task.updatedDate,
  CompletedDate: (task) => task.completedDate,
  DueDate: (task) => task.dates.due,
  Status: (task) => taskStatus.choices.indexOf(task.status),
  Importance: (task) => taskImportance.choices.indexOf(task.importance),
  Title: (task) => task.title.toLowerCase(),
};

/** By priority if no field is named. Tasks with equal keys are also in order of priority. */
export function createOrder({ sortField, sortOrder }: TaskFilters) {
  const direction = sortOrder === 'Desc' ? -1 : 1;
  const keyOf = sortField && sortKeys[sortField];
  return (a: StoredTask, b: StoredTask): number => {
    if (keyOf === undefined) return direction * comparePriority(a, b);
    const [keyA, keyB] = [keyOf(a), keyOf(b)];
    if (keyA === keyB) return comparePriority(a, b);
    if (keyA === undefined || keyB === undefined) return keyA === undefined ? 1 : -1;
    return direction * (keyA < keyB ? -1 : 1);
  };
}
