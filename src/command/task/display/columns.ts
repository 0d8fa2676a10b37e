// How a task looks: the columns of a list, and the lines of one.

import type { TypeOf } from '../../../contract/schema.ts';
import type { fieldOnRequest, Task, TaskDates } from '../../../contract/task.ts';
import type { Column } from '../../../terminal/table.ts';
import { formatDuration } from '../input/duration.ts';

/** What an id is called; nothing where that is not known. */
export type NameOf = (id: string) => string | undefined;

export interface TaskNames {
  readonly user: NameOf;
  readonly customStatus: NameOf;
  readonly folder: NameOf;
  readonly customField: NameOf;
  /** Somebody reads this: durations in days and hours. */
  readonly readableDurations: boolean;
}

const noName: NameOf = () => undefined;

/** For programs. */
export const idsOnly: TaskNames = {
  user: noName,
  customStatus: noName,
  folder: noName,
  customField: noName,
  readableDurations: false,
};

/** `forPerson`: a duration in days and hours, with its minutes behind it. */
export function formatDates(dates: TaskDates | undefined, isReadable = false): string {
  if (!dates) return '';
  const { type, start, due, duration } = dates;
  const span = [start, due].filter((one) => one !== undefined).join(' to ');
  const length = duration === undefined ? '' : isReadable ? formatDuration(duration) : `${duration} min`;
  return [type, span, length].filter(Boolean).join(', ');
}

const formatValue = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The columns of a list, in the order that `cut` relies on. */
export function taskColumnsWith(names: TaskNames): readonly Column<Task>[] {
  return [
    { title: 'id', cell: (task) => task.id, unbroken: true },
    {
      title: 'status',
      cell: (task) => formatStatus(task, names),
      format: (task, style) => (task.status === 'Active' ? style.good : undefined),
    },
    { title: 'title', cell: (task) => task.title ?? '' },
    { title: 'importance', cell: (task) => task.importance ?? '' },
    { title: 'dates', cell: (task) => formatDates(task.dates, names.readableDurations) },
    { title: 'assignees', cell: (task) => formatUsers(task.responsibleIds, names) },
    { title: 'updated', cell: (task) => task.updatedDate ?? '' },
  ];
}

export const taskColumns = taskColumnsWith(idsOnly);

/** `In review (Active)`; the name alone where it is that of the group. */
function formatStatus({ status, customStatusId }: Task, names: TaskNames): string {
  const name = customStatusId === undefined ? undefined : names.customStatus(customStatusId);
  if (name === undefined || name === status) return status ?? '';
  return status === undefined ? name : `${name} (${status})`;
}

function formatUsers(ids: readonly string[] | undefined, names: TaskNames): string {
  return (ids ?? []).map((id) => names.user(id) ?? id).join(', ');
}

/** For flags that take an id and no name. */
function withId(id: string, name: string | undefined): string {
  return name === undefined || name.includes(id) ? (name ?? id) : `${name} (${id})`;
}

export type FieldOnRequest = TypeOf<typeof fieldOnRequest>;

/** What comes only where --fields asks for it. */
const optionalColumns: Readonly<Record<FieldOnRequest, Column<Task>>> = {
  billingType: { title: 'billing type', cell: (task) => task.billingType ?? '' },
  workScheduleId: { title: 'work schedule', cell: (task) => task.workScheduleId ?? '' },
  effortAllocation: { title: 'effort', cell: (task) => formatValue(task.effortAllocation) },
  responsiblePlaceholderIds: {
    title: 'placeholders',
    cell: (task) => formatValue(task.responsiblePlaceholderIds),
  },
};

/** With what --fields asked for behind the rest, so that `cut` finds the rest where it always is. */
export function withFields(
  columns: readonly Column<Task>[],
  fields: readonly FieldOnRequest[] = [],
): readonly Column<Task>[] {
  return [...new Set([...columns, ...fields.map((field) => optionalColumns[field])])];
}

/**
 * What one task shows: its title first, then what the columns of a list have, and the rest. In a pipe there are the
 * columns alone, so that `cut` finds its place.
 */
export function taskLinesWith(names: TaskNames): readonly Column<Task>[] {
  const columns = taskColumnsWith(names);
  const isTitle = ({ title }: Column<Task>) => title === 'title';
  return [
    ...columns.filter(isTitle),
    ...columns.filter((column) => !isTitle(column)),
    { title: 'description', cell: (task) => task.description ?? '' },
    {
      title: 'scope',
      cell: (task) => (task.scope === 'RbTask' ? 'RbTask (in the recycle bin)' : (task.scope ?? '')),
    },
    {
      title: 'custom status',
      cell: ({ customStatusId: id }) => (id === undefined ? '' : withId(id, names.customStatus(id))),
    },
    {
      title: 'folders',
      cell: (task) => (task.parentIds ?? []).map((id) => withId(id, names.folder(id))).join(', '),
    },
    { title: 'parent tasks', cell: (task) => formatValue(task.superTaskIds) },
    { title: 'followers', cell: (task) => formatUsers(task.followerIds, names) },
    {
      title: 'metadata',
      cell: (task) => (task.metadata ?? []).map(({ key, value }) => `${key}=${value}`).join(', '),
    },
    {
      title: 'custom fields',
      cell: (task) =>
        (task.customFields ?? [])
          .map(({ id, value }) => `${names.customField(id) ?? id}=${value}`)
          .join(', '),
    },
    optionalColumns.effortAllocation,
    { title: 'link', cell: (task) => task.permalink ?? '' },
  ];
}

/** With ids alone. */
export const taskLines = taskLinesWith(idsOnly);
