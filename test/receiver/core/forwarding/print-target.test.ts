// Standard output as a target: the lines, the filter, a reader that goes, and a disk that is full.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrintTarget, type PrintTargetOptions } from '#receiver/core/forwarding/print-target.ts';
import { createTestClock } from '#test/support/clock.ts';
import { bodyOf, sampleDelivery } from '../intake/samples.ts';

const deliveryOf = (sequence: number, body: string) => sampleDelivery({ sequence, body: bodyOf(body) });

const targetOf = (options: Partial<PrintTargetOptions>) => {
  const lines: string[] = [];
  const target = createPrintTarget(
    { clock: createTestClock() },
    {
      print: async ({ sequence }) => void lines.push(String(sequence)),
      output: {},
      onReaderGone: () => assert.fail('nobody has gone'),
      events: undefined,
      ...options,
    },
  );
  return { lines, target };
};
const signal = new AbortController().signal;
const created = '[{"eventType":"TaskCreated"},{"eventType":"TaskDeleted"}]';

test('prints one line for each delivery', async () => {
  const { lines, target } = targetOf({});
  const result = await target.send(deliveryOf(1, created), 1, signal);
  assert.deepEqual(result, { verdict: 'forwarded', outcome: 'printed', milliseconds: 0 });
  await target.send(deliveryOf(2, 'no JSON'), 1, signal);
  assert.deepEqual(lines, ['1', '2']);
});

test('prints only the requested events, and unreadable deliveries; a delivery without such an event is finished', async () => {
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

test('once the reader has gone, nothing counts as printed, and the listener is notified', async () => {
  let told = 0;
  const { target } = targetOf({ output: { isReaderGone: true }, onReaderGone: () => (told += 1) });
  for (const attempt of [1, 2]) {
    const { verdict, outcome } = await target.send(deliveryOf(1, created), attempt, signal);
    assert.deepEqual([verdict, outcome], ['unavailable', 'closed']);
  }
  assert.equal(told, 2);
});
