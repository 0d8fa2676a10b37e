// What a bulk would do, before it does anything: how many rows, what they change, and which are invalid and why.

import type { TaskUpdate } from '../../../contract/task.ts';
import { taskUpdateParameterNames } from '../../../contract/task.ts';
import { formatCount } from './format-number.ts';
import type { Rows } from './read-rows.ts';
import type { TaskRow } from './row-resolver.ts';

export interface Plan {
  readonly rows: number;
  readonly invalid: number;
  /** The first of them. */
  readonly invalidLines: readonly string[];
  /** How many rows change what, by the names of the contract. */
  readonly changes: ReadonlyMap<string, number>;
}

const maxInvalidLines = 20;

/** Reads all rows. `each` hears of every row that can be sent, and is waited for. */
export async function createPlan(
  { batches }: Rows,
  each?: (row: { readonly id: string; readonly update: TaskUpdate }) => Promise<void> | undefined,
): Promise<Plan> {
  const changes = new Map<string, number>();
  const refusals: string[] = [];
  let rows = 0;
  let refused = 0;
  for await (const batch of batches) {
    rows += batch.length;
    for (const item of batch) {
      if ('invalid' in item) {
        refused++;
        if (refusals.length < maxInvalidLines) refusals.push(invalidLine(item));
        continue;
      }
      for (const name in item.update) changes.set(name, (changes.get(name) ?? 0) + 1);
      const waiting = each?.(item);
      if (waiting) await waiting;
    }
  }
  return { rows, invalid: refused, invalidLines: refusals, changes };
}

function invalidLine({ line, id, invalid }: Extract<TaskRow, { invalid: string }>): string {
  return `  line ${line}${id === undefined ? '' : ` (${id})`}: ${invalid}`;
}

export function formatPlan({ rows, invalid, invalidLines, changes }: Plan, from: string): readonly string[] {
  const updates = rows - invalid;
  const most = taskUpdateParameterNames.flatMap((name) => {
    const times = changes.get(name);
    return times === undefined ? [] : [times === updates ? name : `${name} (${formatCount(times)})`];
  });
  const what = most.length > 0 ? ` (${most.join(', ')})` : '';
  const problems = invalid > 0 ? `; ${formatCount(invalid)} ${invalid === 1 ? 'is' : 'are'} invalid:` : '';
  return [
    `${formatCount(updates)} of ${formatRows(rows)} from ${from} will be updated${what}${problems}`,
    ...invalidLines,
    ...(invalid > invalidLines.length ? [`  and ${formatCount(invalid - invalidLines.length)} more`] : []),
  ];
}

function formatRows(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}
