// The plan of a bulk run: how many rows there are, what they change, and which are invalid and why.

import { type TaskUpdate, taskUpdateParameterNames } from '../../../contract/task.ts';
import { conjugate, formatCount, formatRow, formatRows } from './format-quantity.ts';
import type { Rows } from './read-rows.ts';
import type { TaskRow } from './row-resolver.ts';

export interface Plan {
  readonly rows: number;
  readonly invalid: number;
  /** The first invalid rows, a line each, with the reason. */
  readonly invalidLines: readonly string[];
  /** How many rows change each parameter, by its name in the contract. */
  readonly changes: ReadonlyMap<string, number>;
}

const maxInvalidLines = 20;

/** Reads all rows. `each` is called for each row that can be sent, and its promise is waited for. */
export async function createPlan(
  { batches }: Rows,
  each?: (row: { readonly id: string; readonly update: TaskUpdate }) => Promise<void> | undefined,
): Promise<Plan> {
  const changes = new Map<string, number>();
  const invalidLines: string[] = [];
  let rows = 0;
  let invalid = 0;
  for await (const batch of batches) {
    rows += batch.length;
    for (const row of batch) {
      if ('invalid' in row) {
        invalid++;
        if (invalidLines.length < maxInvalidLines) invalidLines.push(formatInvalid(row));
        continue;
      }
      for (const name in row.update) changes.set(name, (changes.get(name) ?? 0) + 1);
      const waiting = each?.(row);
      if (waiting) await waiting;
    }
  }
  return { rows, invalid, invalidLines, changes };
}

function formatInvalid(row: Extract<TaskRow, { invalid: string }>): string {
  return `  ${formatRow(row)}: ${row.invalid}`;
}

/** The lines of the plan: `2 of 7 rows from tasks.csv will be updated (title); 5 are invalid:`, and the invalid ones. */
export function formatPlan({ rows, invalid, invalidLines, changes }: Plan, from: string): readonly string[] {
  const updates = rows - invalid;
  const changed = taskUpdateParameterNames.flatMap((name) => {
    const times = changes.get(name);
    return times === undefined ? [] : [times === updates ? name : `${name} (${formatCount(times)})`];
  });
  const what = changed.length > 0 ? ` (${changed.join(', ')})` : '';
  const problems = invalid > 0 ? `; ${formatCount(invalid)} ${conjugate(invalid, 'is')} invalid:` : '';
  return [
    `${formatCount(updates)} of ${formatRows(rows)} from ${from} will be updated${what}${problems}`,
    ...invalidLines,
    ...(invalid > invalidLines.length ? [`  and ${formatCount(invalid - invalidLines.length)} more`] : []),
  ];
}
