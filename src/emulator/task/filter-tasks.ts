// Which tasks a list contains, and in which order. The filters are assumed: contract/assumption.ts says what they mean.

import type { TypeOf } from '../../contract/schema.ts';
import { taskImportance, taskStatus } from '../../contract/task.ts';
import type { PlaceTaskFilters, taskSortField } from '../../contract/task-list.ts';
import { inheritedFolderIds, withAncestors } from '../state/access.ts';
import type { Store, StoredTask } from '../state/store.ts';

/** `folderId`: only the tasks of this folder or space. */
export function filterTasks(
  store: Store,
  tasks: readonly StoredTask[],
  filters: PlaceTaskFilters,
  folderId?: string,
): StoredTask[] {
  const isInPlace = (task: StoredTask) => {
    if (folderId === undefined || task.parentIds.includes(folderId)) return true;
    if (filters.descendants !== true) return false;
    return withAncestors(store, [...task.parentIds, ...inheritedFolderIds(store, task)]).has(folderId);
  };
  const { title, status, responsibles, updatedDate, dueDate } = filters;
  return tasks.filter(
    (task) =>
      isInPlace(task) &&
      (title === undefined || task.title === title) &&
      (status === undefined || status.includes(task.status)) &&
      (responsibles === undefined || responsibles.some((id) => task.responsibleIds.includes(id))) &&
      isWithin(task.updatedDate, updatedDate) &&
      isWithin(task.dates.due, dueDate),
  );
}

interface Range {
  readonly start?: string;
  readonly end?: string;
}

/** Both ends are included, a day as a whole. */
function isWithin(date: string | undefined, range: Range | undefined): boolean {
  if (range === undefined) return true;
  if (date === undefined) return false;
  const { start, end } = range;
  return (start === undefined || date >= start) && (end === undefined || date.slice(0, end.length) <= end);
}

type Key = string | number;

/** Nothing comes last, whatever the order. */
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

/** Without a field by priority. Tasks with equal keys are in the order of priority too. */
export function sortTasks(
  tasks: readonly StoredTask[],
  { sortField, sortOrder = 'Asc' }: Pick<PlaceTaskFilters, 'sortField' | 'sortOrder'>,
): StoredTask[] {
  const byPriority = tasks.toSorted((a, b) => compare(a.priority, b.priority));
  if (sortField === undefined) return sortOrder === 'Desc' ? byPriority.reverse() : byPriority;
  const keyOf = sortKeys[sortField];
  const direction = sortOrder === 'Desc' ? -1 : 1;
  return byPriority.sort((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return direction * compare(one, other);
  });
}

function compare(one: Key, other: Key): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
