// Reads tasks at an interval and prints each change of them (--watch), until the user interrupts it or the reader of the output is gone.

import type { Context } from '#cli/context.ts';
import { pollRepeatedly } from '#cli/poll-repeatedly.ts';
import type { ReadRecord } from '#cli/read-by-ids.ts';
import type { Task } from '#contract/task.ts';
import { Failure } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { readNames } from '../display/names.ts';
import { type ReadOptions, readTasksByIds } from './read-named.ts';
import { changeColumns, changedMembers, describeChanges, type TaskChange } from './task-change.ts';

type ReadTask = ReadRecord<Task>;

interface WatchOptions {
  readonly first: readonly ReadTask[];
  readonly intervalMs: number;
  readonly options: ReadOptions;
}

/** Returns when the reader of the output is gone. */
export async function watchTasks(
  context: Context,
  { first, intervalMs, options }: WatchOptions,
): Promise<void> {
  const { report, world } = context;
  const ids = first.map(({ record }) => record.id);
  /** Each task as it was last read. */
  const known = new Map(first.map((one) => [one.record.id, one]));
  const missing = new Set<string>();
  const [only, ...more] = first;
  const what = only && more.length === 0 ? nameOf(only) : `${first.length} tasks`;
  await report.info(sanitizeLine(`Watching ${what} every ${intervalMs / 1000} s. Press Ctrl-C to end.`));
  await pollRepeatedly(context, {
    what: first.length === 1 ? 'the task' : 'the tasks',
    intervalMs,
    async read() {
      const several = await readTasksByIds(context, ids, options);
      if (several?.endedBy) throw several.endedBy;
      const reads = several?.reads ?? new Map<string, ReadTask | Failure>();
      for (const one of reads.values()) if (one instanceof Failure && one.code !== 'not_found') throw one;
      return reads;
    },
    async show(reads) {
      const at = new Date(world.clock.now()).toISOString();
      for (const [id, now] of reads) {
        const before = known.get(id);
        if (!before) continue;
        if (now instanceof Failure) {
          if (!missing.has(id)) await print(context, { at, change: 'missing', id, ...titleOf(before) });
          missing.add(id);
          continue;
        }
        if (missing.delete(id)) await print(context, { at, change: 'back', id, ...titleOf(now) });
        await showChanges(context, at, before, now);
        known.set(id, now);
      }
    },
  });
}

async function showChanges(context: Context, at: string, before: ReadTask, now: ReadTask): Promise<void> {
  const { id } = now.record;
  const fields = changedMembers(before.raw, now.raw);
  if (fields.length === 0) return;
  if (isForPerson(context)) {
    const names = await readNames(context, [before.record, now.record]);
    for (const line of describeChanges(before, now, names))
      await context.report.line(`${at}  ${nameOf(now)}: ${line}`);
    return;
  }
  for (const field of fields) {
    const values = { before: before.raw[field], after: now.raw[field] };
    await print(context, { at, change: 'changed', id, ...titleOf(now), field, ...values });
  }
}

/** Prints a line for each change, not a table: its column widths would depend on changes still to come. */
async function print(context: Context, change: TaskChange): Promise<void> {
  const { report } = context;
  const name = change.title === undefined ? change.id : `${change.title} (${change.id})`;
  if (isForPerson(context)) await report.line(sanitizeLine(`${change.at}  ${name}: ${change.change}`));
  else await report.each({ columns: changeColumns, records: [change], raw: [change] });
}

function isForPerson({ report, world }: Context): boolean {
  return world.streams.output.isTerminal && !report.wantsJson;
}

function titleOf({ record: { title } }: ReadTask): { readonly title?: string } {
  return title === undefined ? {} : { title };
}

function nameOf({ record: { id, title } }: ReadTask): string {
  return title === undefined ? id : `${title} (${id})`;
}
