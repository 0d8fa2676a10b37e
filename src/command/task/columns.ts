// How a task looks: the columns of a list, and the lines of one.

import type { fieldOnRequest, Task, TaskDates } from '../../contract/task.ts';
import type { TypeOf } from '../../contract/value.ts';
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

export type FieldOnRequest = TypeOf<typeof fieldOnRequest>;

/** What comes only where --fields asks for it. */
const onRequest: Readonly<Record<FieldOnRequest, Column<Task>>> = {
  billingType: { title: 'billing type', cell: (task) => task.billingType ?? '' },
  workScheduleId: { title: 'work schedule', cell: (task) => task.workScheduleId ?? '' },
  effortAllocation: { title: 'effort', cell: (task) => text(task.effortAllocation) },
  responsiblePlaceholderIds: { title: 'placeholders', cell: (task) => text(task.responsiblePlaceholderIds) },
};

/** With what --fields asked for behind the rest, so that `cut` finds the rest where it always is. */
export function withFields(
  columns: readonly Column<Task>[],
  fields: readonly FieldOnRequest[] = [],
): readonly Column<Task>[] {
  return [...new Set([...columns, ...fields.map((field) => onRequest[field])])];
}

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
  onRequest.effortAllocation,
  { title: 'link', cell: (task) => task.permalink ?? '' },
];
