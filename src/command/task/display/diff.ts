// What an update has changed, a line for each part of the task: before -> after.

import type { Task } from '../../../contract/task.ts';
import type { Column } from '../../../terminal/table.ts';
import { idsOnly, type TaskNames, taskLinesWith } from './columns.ts';

export interface Change {
  readonly before: Task;
  readonly after: Task;
}

const list = (ids: readonly string[] | undefined) => (ids ?? []).join(', ');

/** What lists of tasks do not show, and an update can change all the same. */
const extraColumns = (names: TaskNames): readonly Column<Task>[] => [
  { title: 'shared with', cell: (task) => list(task.sharedIds?.map((id) => names.user(id) ?? id)) },
  { title: 'placeholders', cell: (task) => list(task.responsiblePlaceholderIds) },
  { title: 'billing', cell: (task) => task.billingType ?? '' },
  { title: 'work schedule', cell: (task) => task.workScheduleId ?? '' },
  { title: 'item type', cell: (task) => task.customItemTypeId ?? '' },
  {
    title: 'followed by you',
    cell: (task) => (task.followedByMe === undefined ? '' : String(task.followedByMe)),
  },
  {
    title: 'works on weekends',
    cell: ({ dates }) => (dates === undefined ? '' : String(dates.workOnWeekends ?? false)),
  },
  { title: 'place in the list', cell: (task) => task.priority ?? '' },
];

/** These change with every update, or say the same as another. */
const ignored = new Set(['id', 'updated', 'link']);

/** The columns that differ. A part that one of the two does not show is not compared. */
export function changedColumns(change: Change, names: TaskNames = idsOnly): readonly Column<Change>[] {
  return [...taskLinesWith(names), ...extraColumns(names)]
    .filter(({ title, cell }) => !ignored.has(title) && cell(change.before) !== cell(change.after))
    .map(({ title, cell }) => ({
      title,
      cell: ({ before, after }) => `${truncate(cell(before))} -> ${truncate(cell(after))}`,
    }));
}

const maxLength = 200;

/** `(none)` for nothing; the beginning of what is long. */
export function truncate(text: string): string {
  const characters = [...(text === '' ? '(none)' : text)];
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength).join('')}... (${characters.length} characters)`;
}
