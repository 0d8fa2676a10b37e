// What a bulk would do, before it does anything: how many rows, what they change, and which are invalid and why.

import type { TaskUpdate } from '../../../contract/task.ts';
import { parameterNames } from '../input/parameter-schemas.ts';
import { count } from './count.ts';
import type { Rows } from './read-rows.ts';
import type { TaskItem } from './reading.ts';

export interface Plan {
  readonly rows: number;
  readonly refused: number;
  /** The first of them. */
  readonly refusals: readonly string[];
  /** How many rows change what, by the names of the contract. */
  readonly changes: ReadonlyMap<string, number>;
}

const shownRefusals = 20;

/** Reads all rows. `each` hears of every row that can be sent, and is waited for. */
export async function makePlan(
  { items }: Rows,
  each?: (row: { readonly id: string; readonly update: TaskUpdate }) => Promise<void> | undefined,
): Promise<Plan> {
  const changes = new Map<string, number>();
  const refusals: string[] = [];
  let rows = 0;
  let refused = 0;
  for await (const batch of items) {
    rows += batch.length;
    for (const item of batch) {
      if ('refused' in item) {
        refused++;
        if (refusals.length < shownRefusals) refusals.push(refusalLine(item));
        continue;
      }
      for (const name in item.update) changes.set(name, (changes.get(name) ?? 0) + 1);
      const waiting = each?.(item);
      if (waiting) await waiting;
    }
  }
  return { rows, refused, refusals, changes };
}

function refusalLine({ line, id, refused }: Extract<TaskItem, { refused: string }>): string {
  return `  line ${line}${id === undefined ? '' : ` (${id})`}: ${refused}`;
}

export function planLines({ rows, refused, refusals, changes }: Plan, from: string): readonly string[] {
  const updates = rows - refused;
  const most = parameterNames.flatMap((name) => {
    const times = changes.get(name);
    return times === undefined ? [] : [times === updates ? name : `${name} (${count(times)})`];
  });
  const what = most.length > 0 ? ` (${most.join(', ')})` : '';
  const invalid = refused > 0 ? `; ${count(refused)} ${refused === 1 ? 'is' : 'are'} invalid:` : '';
  return [
    `${count(updates)} of ${rowsOf(rows)} from ${from} will be updated${what}${invalid}`,
    ...refusals,
    ...(refused > refusals.length ? [`  and ${count(refused - refusals.length)} more`] : []),
  ];
}

function rowsOf(rows: number): string {
  return `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}
