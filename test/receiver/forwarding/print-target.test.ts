// Standard output as a target: the lines, the filter, a reader that goes, and a disk that is full.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrintTarget, type PrintTargetOptions } from '#receiver/forwarding/print-target.ts';
import { createTestClock } from '#test/support/clock.ts';
import { bodyOf, sampleDelivery } from '../intake/samples.ts';

const deliveryOf = (sequence: number, body: string) => sampleDelivery({ sequence, body: bodyOf(body) });

const targetOf = (options: Partial<PrintTargetOptions>) => {
  const lines: string[] = [];
  const target = createPrintTarget(
    { clock: createTestClock() },
    {
      print: async ({ sequence }) => void lines.push(String(sequence)),
      isReaderGone: () => false,
      onReaderGone: () => assert.fail('nobody has gone'),
      events: undefined,
      ...options,
    },
  );
  return { lines, target };
};
const signal = new AbortController().signal;
const created = '[{"eventType":"TaskCreated"},{"eventType":"TaskDeleted"}]';

test('one line for each delivery', async () => {
  const { lines, target } = targetOf({});
  const result = await target.send(deliveryOf(1, created), 1, signal);
  assert.deepEqual(result, { verdict: 'forwarded', outcome: 'printed', milliseconds: 0 });
  await target.send(deliveryOf(2, 'no JSON'), 1, signal);
  assert.deepEqual(lines, ['1', '2']);
});

test('only the events that are wanted; a delivery without one is finished; one that cannot be read is printed', async () => {
  const { lines, target } = targetOf({ events: ['TaskDeleted'] });
  await target.send(deliveryOf(1, created), 1, signal);
  const { verdict, outcome } = await target.send(deliveryOf(2, '[{"eventType":"TaskCreated"}]'), 1, signal);
  assert.deepEqual([verdict, outcome], ['forwarded', 'not printed']);
  await target.send(deliveryOf(3, '?'), 1, signal);
  assert.deepEqual(lines, ['1', '3']);
});

test('a full disk keeps all deliveries waiting', async () => {
  const { target } = targetOf({ print: () => Promise.reject(new Error('No space left')) });
  assert.deepEqual(await target.send(deliveryOf(1, created), 1, signal), {
    verdict: 'unavailable',
    outcome: 'not-written',
    milliseconds: 0,
    detail: 'No space left',
  });
});

test('once the reader has gone, nothing counts as printed, and the listener is told', async () => {
  let told = 0;
  const { target } = targetOf({ isReaderGone: () => true, onReaderGone: () => (told += 1) });
  for (const attempt of [1, 2]) {
    const { verdict, outcome } = await target.send(deliveryOf(1, created), attempt, signal);
    assert.deepEqual([verdict, outcome], ['unavailable', 'closed']);
  }
  assert.equal(told, 2);
});
