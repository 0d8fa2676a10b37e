// What follows from an attempt, and the retries on the clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRetrySchedule, nextStep } from '#emulator/dispatch/retry-schedule.ts';
import type { Attempt } from '#emulator/state/delivery.ts';
import { deliveryOf, webhookOf } from './samples.ts';

const attempt = (verdict: Attempt['verdict']): Attempt => ({
  date: '2026-03-02T12:00:00Z',
  result: 500,
  verdict,
});
const retry = attempt('retry');

test('an attempt that can be retried is, after the interval of its number, until the third', () => {
  assert.deepEqual(nextStep([retry], [30, 60]), { step: 'retry', afterMs: 30_000 });
  assert.deepEqual(nextStep([retry, retry], [30, 60]), { step: 'retry', afterMs: 60_000 });
  for (const intervals of [
    [30, 60],
    [30, 60, 90],
  ])
    assert.deepEqual(nextStep([retry, retry, retry], intervals), { step: 'exhausted' });
});

test('a delivery ends with its last attempt, whatever came before', () => {
  assert.deepEqual(nextStep([retry, attempt('delivered')], [30, 60]), { step: 'delivered' });
  assert.deepEqual(nextStep([retry, retry, attempt('delivered')], [30, 60]), { step: 'delivered' });
  assert.deepEqual(nextStep([attempt('suspend')], [30, 60]), { step: 'rejected' });
});

test('a retry is due once; those of a cancelled webhook never are', () => {
  const timers: { milliseconds: number; run: () => void; cancelled: boolean }[] = [];
  const clock = {
    after(milliseconds: number, run: () => void) {
      const timer = { milliseconds, run, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
  };
  const due: string[] = [];
  const schedule = createRetrySchedule(clock, ({ id }, { idempotencyKey }) =>
    due.push(`${id} ${idempotencyKey}`),
  );
  const second = deliveryOf('one', 'b');
  schedule.add(webhookOf('one'), deliveryOf('one', 'a'), 1_000);
  schedule.add(webhookOf('one'), second, 2_000);
  schedule.add(webhookOf('two'), deliveryOf('two', 'c'), 3_000);
  assert.deepEqual(
    timers.map(({ milliseconds }) => milliseconds),
    [1_000, 2_000, 3_000],
  );
  timers[0]?.run();
  assert.deepEqual(due, ['one a']);
  assert.deepEqual(schedule.cancel('one'), [second]);
  assert.deepEqual(schedule.cancel('one'), []);
  assert.deepEqual(
    timers.map(({ cancelled }) => cancelled),
    [false, true, false],
  );
});
