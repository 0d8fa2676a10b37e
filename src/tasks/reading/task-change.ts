// One change of a task as `wm task get --watch` shows it: a member of the record with its values before and after, as a
// tab-separated line, a line of JSON, or words on a terminal.

import type { ReadRecord } from '#cli/read-by-ids.ts';
import type { JsonObject } from '#client/response.ts';
import { formatJson } from '#contract/json.ts';
import type { Task } from '#contract/task.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import type { TaskNames } from '../display/columns.ts';
import { changedColumns, hasColumns, truncate } from '../display/diff.ts';

export interface TaskChange {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly change: 'changed' | 'missing' | 'back';
  readonly id: string;
  readonly title?: string;
  /** The member that changed, and its values as the service sent them; absent for one that the record did not have. */
  readonly field?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export const changeColumns: readonly Column<TaskChange>[] = [
  { title: 'time', cell: ({ at }) => at, unbroken: true },
  { title: 'change', cell: ({ change }) => change },
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'field', cell: ({ field }) => field ?? '' },
  { title: 'before', cell: ({ before }) => formatMember(before) },
  { title: 'after', cell: ({ after }) => formatMember(after) },
  { title: 'title', cell: ({ title }) => title ?? '' },
];

/** The members that differ, in the order of the record. If only the time of the update differs, the record does not show the change. */
export function changedMembers(before: JsonObject, after: JsonObject): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => formatMember(before[name]) !== formatMember(after[name]));
  const seen = changed.filter((name) => name !== 'updatedDate');
  return seen.length > 0 ? seen : changed;
}

/** Text as it is, everything else as JSON; empty for a member that is not there. */
function formatMember(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : formatJson(value);
}

/** For a terminal: `status: New (Active) -> Completed`, one for each change that a person would see. */
export function describeChanges(
  before: ReadRecord<Task>,
  after: ReadRecord<Task>,
  names: TaskNames,
): readonly string[] {
  const change = { before: before.record, after: after.record };
  const seen = changedColumns(change, names).map(({ title, cell }) => `${title}: ${cell(change)}`);
  const others = changedMembers(before.raw, after.raw)
    .filter((name) => !hasColumns(name))
    .map((name) => {
      const [was, is] = [before.raw[name], after.raw[name]].map(formatMember);
      return `${name}: ${truncate(was ?? '')} -> ${truncate(is ?? '')}`;
    });
  return [...seen, ...others].map(sanitizeLine);
}
