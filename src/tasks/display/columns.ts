// Formats tasks: the columns of a list, and the lines of one task.

import type { TypeOf } from '#contract/schema.ts';
import type { fieldOnRequest, ShownDates, Task } from '#contract/task.ts';
import type { Column } from '#terminal/table.ts';
import { formatDuration } from '../input/duration.ts';

/** The name of an id; undefined if unknown. */
export type NameOf = (id: string) => string | undefined;

export interface TaskNames {
  readonly user: NameOf;
  readonly customStatus: NameOf;
  readonly folder: NameOf;
  readonly customField: NameOf;
  /** For a terminal: durations in days and hours, not in minutes alone. */
  readonly readableDurations: boolean;
}

export const noName: NameOf = () => undefined;

/** For pipes and JSON. */
export const idsOnly: TaskNames = {
  user: noName,
  customStatus: noName,
  folder: noName,
  customField: noName,
  readableDurations: false,
};

/** `isReadable`: the duration in days and hours, followed by its minutes. */
export function formatDates(dates: ShownDates | undefined, isReadable = false): string {
  if (!dates) return '';
  const { type, start, due, duration } = dates;
  const span = [start, due].filter(Boolean).join(' to ');
  const length = duration === undefined ? '' : isReadable ? formatDuration(duration) : `${duration} min`;
  return [type, span, length].filter(Boolean).join(', ');
}

const formatIds = (ids: readonly string[] = []): string => ids.join(', ');

/** The columns of a list. Scripts that use `cut` rely on their order. */
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

/** For a list in a pipe: ids, and one value in each column. A custom status is its name, or its id if the name is unknown. */
export function listedPipeColumns(statusName: NameOf): readonly Column<Task>[] {
  return [
    ...taskColumns.flatMap((column): readonly Column<Task>[] =>
      column.title === 'dates'
        ? [
            { title: 'start', cell: ({ dates }) => dates?.start ?? '' },
            { title: 'due', cell: ({ dates }) => dates?.due ?? '' },
          ]
        : [column],
    ),
    { title: 'customStatus', cell: ({ customStatusId: id = '' }) => statusName(id) ?? id },
  ];
}

/** For a list on a terminal: what a person looks for, and the id to copy. */
export function listedColumns(names: TaskNames): readonly Column<Task>[] {
  const columns = taskColumnsWith(names);
  const column = (title: string) => columns.filter((candidate) => candidate.title === title);
  const shortStatus = ({ status = '', customStatusId = '' }: Task) =>
    names.customStatus(customStatusId) ?? status;
  return [
    ...column('title'),
    ...column('status').map((status) => ({ ...status, cell: shortStatus })),
    ...column('assignees'),
    // Usually at 17:00, and the seconds are almost always zero.
    { title: 'due', cell: ({ dates }) => dates?.due?.replace(/T17:00:00$|:00$/, '').replace('T', ' ') ?? '' },
    ...column('id'),
  ];
}

/** `In review (Active)`; only the name if it equals the group. */
function formatStatus({ status, customStatusId = '' }: Task, names: TaskNames): string {
  const name = names.customStatus(customStatusId);
  if (name === undefined || name === status) return status ?? '';
  return status === undefined ? name : `${name} (${status})`;
}

export function formatUsers(ids: readonly string[] = [], names: TaskNames): string {
  return ids.map((id) => names.user(id) ?? id).join(', ');
}

/** With the id, since some flags do not take names. */
function withId(id: string, name: string | undefined): string {
  return name === undefined || name.includes(id) ? (name ?? id) : `${name} (${id})`;
}

export type FieldOnRequest = TypeOf<typeof fieldOnRequest>;

export const placeholders: Column<Task> = {
  title: 'placeholders',
  cell: (task) => formatIds(task.responsiblePlaceholderIds),
};

/** Columns that are printed only if --fields requests them. */
const optionalColumns: Readonly<Record<FieldOnRequest, Column<Task>>> = {
  billingType: { title: 'billing type', cell: (task) => task.billingType ?? '' },
  workScheduleId: { title: 'work schedule', cell: (task) => task.workScheduleId ?? '' },
  effortAllocation: {
    title: 'effort',
    cell: ({ effortAllocation: effort }) => (effort ? JSON.stringify(effort) : ''),
  },
  responsiblePlaceholderIds: placeholders,
};

/** The columns from --fields come last, so that the others keep their positions for `cut`. */
export function withFields(columns: readonly Column<Task>[], fields: readonly FieldOnRequest[] = []) {
  return [...new Set([...columns, ...fields.map((field) => optionalColumns[field])])];
}

/** The lines of one task: its title, then the columns of a list, then the rest. A pipe gets only the columns, for `cut`. */
export function taskLinesWith(names: TaskNames, { isCompared = false } = {}): readonly Column<Task>[] {
  const columns = taskColumnsWith(names);
  return [
    ...columns.filter(({ title }) => title === 'title'),
    ...columns.filter(({ title }) => title !== 'title'),
    { title: 'description', cell: (task) => task.description ?? '' },
    {
      title: 'scope',
      cell: (task) => (task.scope === 'RbTask' ? 'RbTask (in the recycle bin)' : (task.scope ?? '')),
    },
    {
      title: 'custom status',
      // The status has its name, too, which may not be unique.
      cell: ({ customStatusId: id }) =>
        id === undefined || (!isCompared && names.customStatus(id)) ? '' : withId(id, names.customStatus(id)),
    },
    {
      title: 'folders',
      cell: (task) => (task.parentIds ?? []).map((id) => withId(id, names.folder(id))).join(', '),
    },
    { title: 'parent tasks', cell: (task) => formatIds(task.superTaskIds) },
    { title: 'followers', cell: (task) => formatUsers(task.followerIds, names) },
    {
      title: 'metadata',
      cell: ({ metadata = [] }) => metadata.map(({ key, value }) => `${key}=${value}`).join(', '),
    },
    {
      title: 'custom fields',
      cell: ({ customFields = [] }) =>
        customFields.map(({ id, value }) => `${names.customField(id) ?? id}=${value}`).join(', '),
    },
    optionalColumns.effortAllocation,
    { title: 'link', cell: (task) => task.permalink ?? '' },
  ];
}
