// The changes that an update made: one line for each part of the task, before -> after.

import type { Task } from '#contract/task.ts';
import type { Column } from '#terminal/table.ts';
import { formatUsers, idsOnly, placeholders, type TaskNames, taskLinesWith } from './columns.ts';

export interface Change {
  readonly before: Task;
  readonly after: Task;
}

/** Columns that lists of tasks do not have, but that an update can change. */
const extraColumns = (names: TaskNames): readonly Column<Task>[] => [
  { title: 'shared with', cell: (task) => formatUsers(task.sharedIds, names) },
  placeholders,
  { title: 'billing', cell: (task) => task.billingType ?? '' },
  { title: 'work schedule', cell: (task) => task.workScheduleId ?? '' },
  { title: 'item type', cell: (task) => task.customItemTypeId ?? '' },
  { title: 'followed by you', cell: ({ followedByMe = '' }) => String(followedByMe) },
  { title: 'works on weekends', cell: ({ dates }) => (dates ? String(dates.workOnWeekends ?? false) : '') },
  { title: 'place in the list', cell: (task) => task.priority ?? '' },
];

/** The columns that show a change of each member; none if it changes with every update or repeats another. A new one does not compile. */
const columnsOf: { readonly [K in keyof Task]-?: readonly string[] } = {
  id: [],
  accountId: [],
  title: ['title'],
  description: ['description'],
  briefDescription: [],
  status: ['status'],
  importance: ['importance'],
  customStatusId: ['status', 'custom status'],
  customItemTypeId: ['item type'],
  scope: ['scope'],
  createdDate: [],
  updatedDate: [],
  completedDate: [],
  dates: ['dates', 'works on weekends'],
  parentIds: ['folders'],
  superParentIds: [],
  superTaskIds: ['parent tasks'],
  subTaskIds: [],
  dependencyIds: [],
  authorIds: [],
  responsibleIds: ['assignees'],
  responsiblePlaceholderIds: ['placeholders'],
  sharedIds: ['shared with'],
  followerIds: ['followers'],
  followedByMe: ['followed by you'],
  hasAttachments: [],
  attachmentCount: [],
  recurrent: [],
  priority: ['place in the list'],
  permalink: [],
  metadata: ['metadata'],
  customFields: ['custom fields'],
  cascadingFieldSettings: [],
  finance: [],
  billingType: ['billing'],
  workScheduleId: ['work schedule'],
  effortAllocation: ['effort'],
};
const comparedColumns = new Set(Object.values(columnsOf).flat());

/** False for a member whose change no column shows, or that this version does not know. */
export function hasColumns(member: string): boolean {
  return Object.entries(columnsOf).some(([name, titles]) => name === member && titles.length > 0);
}

/** The columns whose values differ; a value that a task does not show is `(none)`. */
export function changedColumns(change: Change, names: TaskNames = idsOnly): readonly Column<Change>[] {
  const changed = [...taskLinesWith(names, { isCompared: true }), ...extraColumns(names)].filter(
    ({ title, cell }) => comparedColumns.has(title) && cell(change.before) !== cell(change.after),
  );
  const [said] = names.customStatus(change.after.customStatusId ?? '') ? ['custom status'] : [];
  return changed
    .filter(({ title }) => title !== said || !changed.some((other) => other.title === 'status'))
    .map(({ title, cell }) => ({
      title,
      cell: ({ before, after }) => `${truncate(cell(before))} -> ${truncate(cell(after))}`,
    }));
}

const maxLength = 200;

/** `(none)` for an empty text; only the beginning of a long text. */
export function truncate(text: string): string {
  const characters = [...(text === '' ? '(none)' : text)];
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength).join('')}... (${characters.length} characters)`;
}
