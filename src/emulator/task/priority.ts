// The ordering keys of tasks: hexadecimal text that sorts alphabetically. There is always a key between two others, so moving a task
// changes only its own key.

import { requireEntry } from '../state/access.ts';
import type { StoredTask } from '../state/store.ts';
import type { TaskMap } from '../state/task-map.ts';

const base = 16;

/** As many digits as the service shows. */
const shownDigits = 24;

/** Zeros at the end do not change the order. */
export const shownPriority = (key: string): string => key.padEnd(shownDigits, '0');

/** A key after `low` and before `high`; an empty `high` is the end of the list. A key never ends in 0. */
export function keyBetween(low: string, high: string): string {
  let key = '';
  let bounded = high !== '';
  for (let i = 0; ; i++) {
    const from = digitAt(low, i);
    const to = bounded ? digitAt(high, i) : base;
    if (to - from > 1) return key + Math.floor((from + to) / 2).toString(base);
    key += from.toString(base);
    if (to !== from) bounded = false;
  }
}

/** Past its end, a key counts as zeros. */
function digitAt(key: string, index: number): number {
  return Number.parseInt(key.padEnd(index + 1, '0').charAt(index), base);
}

const width = 8;

/** A key after `last`, the last of a list. Counting up keeps keys short if many tasks are created. */
export function keyAfter(last: string): string {
  const next = Number.parseInt(last.slice(0, width).padEnd(width, '0'), base) + 1;
  return next < base ** width ? `${next.toString(base).padStart(width, '0')}8` : keyBetween(last, '');
}

export function keyBeside(
  tasks: TaskMap<StoredTask>,
  movedId: string,
  neighbour: StoredTask,
  side: 'before' | 'after',
): string {
  const { accountId, priority } = neighbour;
  const ids = tasks.idsIn(accountId);
  const step = side === 'before' ? -1 : 1;
  let index = tasks.positionIn(ids, neighbour);
  let next: StoredTask | undefined;
  do {
    index += step;
    next = tasks.get(ids[index] ?? '');
  } while (next && (next.id === movedId || next.priority === priority));
  const limit = next?.priority ?? '';
  const key = side === 'before' ? keyBetween(limit, priority) : keyBetween(priority, limit);
  if (key.length <= shownDigits) return key;
  respace(tasks, ids);
  return keyBeside(tasks, movedId, requireEntry(tasks, neighbour.id), side);
}

/** Gives the tasks of an account short keys again, in the same order. */
function respace(tasks: TaskMap<StoredTask>, ids: readonly string[]): void {
  const inOrder = ids.map((id) => requireEntry(tasks, id));
  for (const { id } of inOrder.toReversed()) tasks.delete(id);
  let priority = '';
  for (const task of inOrder) {
    priority = keyAfter(priority);
    tasks.set(task.id, { ...task, priority });
  }
}
