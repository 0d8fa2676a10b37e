// How a task looks: the columns of a list, and the lines of one.

import type { Task, TaskDates } from '../../contract/task.ts';
import type { Column } from '../../terminal/table.ts';

export function datesText(dates: TaskDates | undefined): string {
  if (!dates) return '';
  const { type, start, due, duration } = dates;
  const span = [start, due].filter((one) => one !== undefined).join(' to ');
  return [type, span, duration === undefined ? '' : `${duration} min`].filter(Boolean).join(', ');
}

const text = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export const taskColumns: readonly Column<Task>[] = [
  { title: 'id', cell: (task) => task.id, whole: true },
  {
    title: 'status',
    cell: (task) => task.status ?? '',
    look: (task, style) => (task.status === 'Active' ? style.good : undefined),
  },
  { title: 'title', cell: (task) => task.title ?? '' },
  { title: 'importance', cell: (task) => task.importance ?? '' },
  { title: 'dates', cell: (task) => datesText(task.dates) },
  { title: 'assignees', cell: (task) => text(task.responsibleIds) },
  { title: 'updated', cell: (task) => task.updatedDate ?? '' },
];

/** What one task shows beside the columns of a list. In a pipe they stay the list's, so that `cut` finds its place. */
export const taskLines: readonly Column<Task>[] = [
  ...taskColumns,
  { title: 'description', cell: (task) => task.description ?? '' },
  {
    title: 'scope',
    cell: (task) => (task.scope === 'RbTask' ? 'RbTask (in the recycle bin)' : (task.scope ?? '')),
  },
  { title: 'custom status', cell: (task) => task.customStatusId ?? '' },
  { title: 'folders', cell: (task) => text(task.parentIds) },
  { title: 'parent tasks', cell: (task) => text(task.superTaskIds) },
  { title: 'followers', cell: (task) => text(task.followerIds) },
  {
    title: 'metadata',
    cell: (task) => (task.metadata ?? []).map(({ key, value }) => `${key}=${value}`).join(', '),
  },
  {
    title: 'custom fields',
    cell: (task) => (task.customFields ?? []).map(({ id, value }) => `${id}=${value}`).join(', '),
  },
  { title: 'effort', cell: (task) => text(task.effortAllocation) },
  { title: 'link', cell: (task) => task.permalink ?? '' },
];
