// Filters and sorts the tasks of a list. The filters are assumed: contract/assumption.ts says what they mean.

import type { TypeOf } from '#contract/schema.ts';
import { taskImportance, taskStatus } from '#contract/task.ts';
import { type TaskFilters, taskFilters, type taskSortField } from '#contract/task-list.ts';
import { inheritedFolderIds, withAncestors } from '../state/access.ts';
import type { Store, StoredTask } from '../state/store.ts';
import { comparePriority } from '../state/task-map.ts';
import { permalinkOf } from './permalink-of.ts';

/** All but `fields`, which only shapes the records. */
export const filterNames = (Object.keys(taskFilters) as (keyof TaskFilters)[]).filter(
  (name) => name !== 'fields',
);

type Fits = (task: StoredTask) => boolean;

/** `placeId`: only the tasks of this folder or space. */
export function createFilter(
  store: Store,
  filters: TaskFilters,
  workspace: string,
  placeId: string | undefined,
): Fits {
  const { title, permalink, status, customStatuses, importance, type, subTasks } = filters;
  const { authors, responsibles, createdDate, updatedDate, completedDate, startDate, dueDate } = filters;
  const { metadata, customField } = filters;
  const part = title?.toLowerCase();
  return (task) =>
    isInPlace(store, task, filters, placeId) &&
    (subTasks !== false || task.superTaskIds.length === 0) &&
    (part === undefined || task.title.toLowerCase().includes(part)) &&
    (permalink === undefined || permalinkOf(workspace, task) === permalink) &&
    (status === undefined || status.includes(task.status)) &&
    (customStatuses === undefined || customStatuses.includes(task.customStatusId)) &&
    (importance === undefined || task.importance === importance) &&
    (type === undefined || task.dates.type === type) &&
    (authors === undefined || authors.some((id) => task.authorIds.includes(id))) &&
    (responsibles === undefined || responsibles.some((id) => task.responsibleIds.includes(id))) &&
    isWithin(task.createdDate, createdDate) &&
    isWithin(task.updatedDate, updatedDate) &&
    isWithin(task.completedDate, completedDate) &&
    isWithin(task.dates.start, startDate) &&
    isWithin(task.dates.due, dueDate) &&
    (metadata === undefined ||
      task.metadata.some(({ key, value }) => key === metadata.key && isValue(value, metadata.value))) &&
    (customField === undefined ||
      task.customFields.some(({ id, value }) => id === customField.id && isValue(value, customField.value)));
}

const isValue = (value: string, wanted: string | undefined) => wanted === undefined || value === wanted;

function isInPlace(
  store: Store,
  task: StoredTask,
  { descendants, subTasks }: TaskFilters,
  placeId: string | undefined,
): boolean {
  if (placeId === undefined || task.parentIds.includes(placeId)) return true;
  if (descendants !== true && subTasks !== true) return false;
  const inherited = inheritedFolderIds(store, task);
  // Subtasks of the folder's own tasks are in it too, but not in the folders above.
  if (inherited.includes(placeId)) return true;
  return descendants === true && withAncestors(store, [...task.parentIds, ...inherited]).has(placeId);
}

interface Range {
  readonly start?: string;
  readonly end?: string;
  readonly equal?: string;
}

/** Both ends are included, a day as a whole. */
export function isWithin(date: string | undefined, range: Range | undefined): boolean {
  if (range === undefined) return true;
  if (date === undefined) return false;
  const { start, end, equal } = range;
  return (
    (start === undefined || date >= start) &&
    (end === undefined || date.slice(0, end.length) <= end) &&
    (equal === undefined || date.slice(0, equal.length) === equal)
  );
}

type Key = string | number;

/** Tasks without a value come last in either order. */
const sortKeys: {
  readonly [F in TypeOf<typeof taskSortField>]: (task: StoredTask) => Key | undefined;
} = {
  CreatedDate: (task) => task.createdDate,
  UpdatedDate: (task) => task.updatedDate,
  CompletedDate: (task) => task.completedDate,
  DueDate: (task) => task.dates.due,
  Status: (task) => taskStatus.choices.indexOf(task.status),
  Importance: (task) => taskImportance.choices.indexOf(task.importance),
  Title: (task) => task.title.toLowerCase(),
};

export type CompareTasks = (one: StoredTask, other: StoredTask) => number;

/** Without a field by priority. Tasks with equal keys are in the order of priority too. */
export function createOrder({
  sortField,
  sortOrder = 'Asc',
}: Pick<TaskFilters, 'sortField' | 'sortOrder'>): CompareTasks {
  const direction = sortOrder === 'Desc' ? -1 : 1;
  if (sortField === undefined) return (one, other) => direction * comparePriority(one, other);
  const keyOf = sortKeys[sortField];
  return (one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    if (a === b) return comparePriority(one, other);
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return direction * (a < b ? -1 : 1);
  };
}
