// A reader that is slower than the deliveries: memory stays bounded, and the output says what it lacks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecordQueue } from '#receiver/listen/line-view.ts';
import { checkpoint } from '#test/support/gate.ts';

/** Prints each batch with `print`, and what is missing as its negative number. */
const createQueue = (
  print: (batch: readonly number[]) => Promise<void>,
  more: Partial<Parameters<typeof createRecordQueue<number>>[0]> = {},
) =>
  createRecordQueue<number>({
    print,
    nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
    omitted: (count) => -count,
    onFailure: (error) => assert.fail(String(error)),
    ...more,
  });

test('records that arrive together are printed together, in order', async () => {
  const batches: (readonly number[])[] = [];
  const queue = createQueue(async (batch) => void batches.push(batch));
  for (let at = 0; at < 450; at++) queue.push(() => at);
  await queue.flush();
  assert.deepEqual(
    batches.map(({ length }) => length),
    [200, 200, 50],
  );
  assert.deepEqual(
    batches.flat(),
    Array.from({ length: 450 }, (_, at) => at),
  );
  queue.push(() => 450);
  await queue.flush();
  assert.deepEqual(batches.at(-1), [450]);
});

test('records without room are counted where they are missing, and not even created', async () => {
  const printed: number[] = [];
  let created = 0;
  const reader = checkpoint();
  const print = async (batch: readonly number[]) => {
    await reader.opened;
    printed.push(...batch);
  };
  const queue = createQueue(print, { limit: 3 });
  const push = (at: number) =>
    queue.push(() => {
      created++;
      return at;
    });
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((at) => push(at)),
    [true, true, true, false, false],
  );
  reader.open();
  await queue.flush();
  assert.deepEqual([printed, created], [[1, 2, 3, -2], 3]);
  assert.equal(push(6), true);
  await queue.flush();
  assert.deepEqual(printed, [1, 2, 3, -2, 6]);
});

test('a batch that cannot be printed is reported, and the next one is tried', async () => {
  const failures: unknown[] = [];
  const printed: number[] = [];
  const print = async ([first = 0]: readonly number[]) => {
    if (first === 1) throw new Error('full');
    printed.push(first);
  };
  const queue = createQueue(print, { onFailure: (error) => void failures.push(error) });
  queue.push(() => 1);
  await queue.flush();
  queue.push(() => 2);
  await queue.flush();
  assert.deepEqual([failures.length, printed], [1, [2]]);
});
