// Reads tasks at an interval and prints each change (--watch), until the user interrupts it or the reader of the output is gone.

import type { Context } from '#cli/context.ts';
import { pollRepeatedly } from '#cli/poll-repeatedly.ts';
import type { ReadRecord } from '#cli/read-by-ids.ts';
import { formatJson, type JsonObject } from '#contract/json.ts';
import type { Task } from '#contract/task.ts';
import { Failure } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import type { TaskNames } from '../display/columns.ts';
import { changedColumns, hasColumns, truncate } from '../display/diff.ts';
import { readNames } from '../display/names.ts';
import { type ReadOptions, readTasksByIds } from './read-named.ts';

type ReadTask = ReadRecord<Task>;

/** Returns when the reader of the output is gone. */
export async function watchTasks(
  context: Context,
  first: readonly ReadTask[],
  intervalMs: number,
  options: ReadOptions,
): Promise<void> {
  const { report, world } = context;
  const ids = first.map(({ record }) => record.id);
  const lastReads = new Map(first.map((task) => [task.record.id, task]));
  const missing = new Set<string>();
  const [firstTask, ...otherTasks] = first;
  const name = firstTask && otherTasks.length === 0 ? nameOf(firstTask.record) : `${first.length} tasks`;
  await report.info(sanitizeLine(`Watching ${name} every ${intervalMs / 1000} s. Press Ctrl-C to end.`));
  await pollRepeatedly(context, {
    what: first.length === 1 ? 'the task' : 'the tasks',
    intervalMs,
    async read() {
      const results = await readTasksByIds(context, ids, options);
      if (results?.endedBy) throw results.endedBy;
      const reads = results?.reads ?? new Map<string, ReadTask | Failure>();
      for (const read of reads.values()) if (read instanceof Failure && read.code !== 'not_found') throw read;
      return reads;
    },
    async show(reads) {
      const at = new Date(world.clock.now()).toISOString();
      for (const [id, now] of reads) {
        const before = lastReads.get(id);
        if (!before) continue;
        const { title } = before.record;
        if (now instanceof Failure) {
          if (!missing.has(id)) await print(context, { at, change: 'missing', id, title });
          missing.add(id);
          continue;
        }
        if (missing.delete(id)) await print(context, { at, change: 'back', id, title: now.record.title });
        await showChanges(context, at, before, now);
        lastReads.set(id, now);
      }
    },
  });
}

async function showChanges(context: Context, at: string, before: ReadTask, now: ReadTask): Promise<void> {
  const { id, title } = now.record;
  const fields = changedMembers(before.raw, now.raw);
  if (fields.length === 0) return;
  if (isForPerson(context)) {
    const names = await readNames(context, [before.record, now.record]);
    for (const line of describeChanges(before, now, names))
      await context.report.line(sanitizeLine(`${at}  ${nameOf(now.record)}: ${line}`));
    return;
  }
  for (const field of fields) {
    const values = { before: before.raw[field], after: now.raw[field] };
    await print(context, { at, change: 'changed', id, title, field, ...values });
  }
}

/** Prints a line for each change, not a table: its column widths would depend on changes still to come. */
async function print(context: Context, change: TaskChange): Promise<void> {
  const { report } = context;
  if (isForPerson(context))
    await report.line(sanitizeLine(`${change.at}  ${nameOf(change)}: ${change.change}`));
  else await report.each({ columns: changeColumns, records: [change], raw: [change] });
}

const isForPerson = ({ report, world }: Context) => world.streams.output.isTerminal && !report.wantsJson;

function nameOf({ id, title }: Pick<TaskChange, 'id' | 'title'>): string {
  return title === undefined ? id : `${title} (${id})`;
}

interface TaskChange {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly change: 'changed' | 'missing' | 'back';
  readonly id: string;
  readonly title?: string | undefined;
  /** The member that changed, and its values as the service sent them; absent if the record did not have the member. */
  readonly field?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const changeColumns: readonly Column<TaskChange>[] = [
  { title: 'time', cell: ({ at }) => at, unbroken: true },
  { title: 'change', cell: ({ change }) => change },
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'field', cell: ({ field }) => field ?? '' },
  { title: 'before', cell: ({ before }) => formatMember(before) },
  { title: 'after', cell: ({ after }) => formatMember(after) },
  { title: 'title', cell: ({ title }) => title ?? '' },
];

/** The members that differ, in the order of the record. The time of the update counts only if nothing else differs. */
function changedMembers(before: JsonObject, after: JsonObject): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => formatMember(before[name]) !== formatMember(after[name]));
  const withoutTime = changed.filter((name) => name !== 'updatedDate');
  return withoutTime.length > 0 ? withoutTime : changed;
}

/** Text as it is, everything else as JSON; empty for an absent member. */
function formatMember(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : formatJson(value);
}

/** For a terminal: `status: New (Active) -> Completed`, one for each change that a person would see. */
function describeChanges(before: ReadTask, after: ReadTask, names: TaskNames): readonly string[] {
  const change = { before: before.record, after: after.record };
  const inColumns = changedColumns(change, names).map(({ title, cell }) => `${title}: ${cell(change)}`);
  const others = changedMembers(before.raw, after.raw)
    .filter((name) => !hasColumns(name))
    .map((name) => {
      const [was, is] = [before.raw[name], after.raw[name]].map(formatMember);
      return `${name}: ${truncate(was ?? '')} -> ${truncate(is ?? '')}`;
    });
  return [...inColumns, ...others];
}
