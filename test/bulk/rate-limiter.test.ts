// The pace: never more at once than allowed, never more in a minute, half as many after a complaint, and more again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter } from '#bulk/rate-limiter.ts';
import { createHurriedClock, createTestClock } from '#test/support/clock.ts';

const soon = () => new Promise(setImmediate);

test('limits concurrency, and reuses a released place', async () => {
  const { signal } = new AbortController();
  const pace = createRateLimiter(createTestClock(), { maxConcurrency: 2, stop: signal });
  assert.equal(await pace.acquire(), true);
  assert.equal(await pace.acquire(), true);
  assert.equal(pace.tryAcquire(), false);
  let third = false;
  const entering = pace.acquire().then(() => {
    third = true;
  });
  await soon();
  assert.equal(third, false);
  pace.release();
  await entering;
});

test('all callers share one timer for a backoff, since a listener for each would look like a leak', async () => {
  const clock = createTestClock();
  const pace = createRateLimiter(clock, { maxConcurrency: 32, stop: new AbortController().signal });
  pace.pause(1000);
  const entering = Array.from({ length: 32 }, () => pace.acquire());
  await soon();
  assert.deepEqual(clock.waits, [1000]);
  clock.advance(1000);
  assert.deepEqual(new Set(await Promise.all(entering)), new Set([true]));
});

test('keeps the rate at any concurrency', async () => {
  const clock = createHurriedClock();
  const began = clock.now();
  const pace = createRateLimiter(clock, {
    maxConcurrency: 8,
    perMinute: 120,
    stop: new AbortController().signal,
  });
  for (let i = 0; i < 21; i++) {
    await pace.acquire();
    pace.release();
  }
  assert.equal(clock.now() - began, 20 * 500);
});

test('a rate limit delays all workers and halves the concurrency once; successes restore it', async () => {
  const clock = createHurriedClock();
  const pace = createRateLimiter(clock, { maxConcurrency: 8, stop: new AbortController().signal });
  const { generation } = pace;
  // Four that were under way together complain together.
  for (let i = 0; i < 4; i++) pace.onRateLimit(generation, 3000);
  assert.equal(pace.concurrency, 4);
  const began = clock.now();
  await pace.acquire();
  assert.equal(clock.now() - began, 3000);
  pace.release();
  for (let i = 0; i < 100; i++) pace.onSuccess();
  assert.equal(pace.concurrency, 8);
});

test('waits without a success between them add up; a success resets the sum', () => {
  const clock = createTestClock();
  const limiter = createRateLimiter(clock, {
    maxConcurrency: 1,
    maxWaitMs: 10_000,
    stop: new AbortController().signal,
  });
  const limited = (waitMs: number) => {
    const goesOn = limiter.onRateLimit(limiter.generation, waitMs);
    clock.advance(waitMs);
    return goesOn;
  };
  assert.deepEqual([limited(4000), limited(4000)], [true, true]);
  limiter.onSuccess();
  assert.deepEqual([limited(4000), limited(4000)], [true, true]);
  assert.equal(limiter.excessiveWaitMs, undefined);
  assert.equal(limited(4000), false);
  assert.equal(limiter.excessiveWaitMs, 12_000);
});

test('without a Retry-After, the backoff grows to a minute', () => {
  const clock = createTestClock();
  const pace = createRateLimiter(clock, { maxConcurrency: 1, stop: new AbortController().signal });
  const pauses = Array.from({ length: 8 }, () => {
    clock.advance(pace.pauseLeftMs);
    pace.onRateLimit(pace.generation, undefined);
    return pace.pauseLeftMs;
  });
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  // A success resets it.
  pace.onSuccess();
  clock.advance(pace.pauseLeftMs);
  pace.onRateLimit(pace.generation, undefined);
  assert.equal(pace.pauseLeftMs, 1000);
});

test('after a rate limit, as many successes as the concurrency add one worker', () => {
  const limiter = createRateLimiter(createTestClock(), {
    maxConcurrency: 4,
    stop: new AbortController().signal,
  });
  limiter.onRateLimit(limiter.generation, 1);
  assert.equal(limiter.concurrency, 2);
  const after = Array.from({ length: 6 }, () => {
    limiter.onSuccess();
    return limiter.concurrency;
  });
  assert.deepEqual(after, [2, 3, 3, 3, 4, 4]);
});

test('releases waiting callers when the run is stopped', async () => {
  const stop = new AbortController();
  const pace = createRateLimiter(createTestClock(), { maxConcurrency: 1, perMinute: 1, stop: stop.signal });
  assert.equal(await pace.acquire(), true);
  const forPlace = pace.acquire();
  const otherLimiter = createRateLimiter(createTestClock(), {
    maxConcurrency: 1,
    perMinute: 1,
    stop: stop.signal,
  });
  await otherLimiter.acquire();
  otherLimiter.release();
  const forTurn = otherLimiter.acquire();
  await soon();
  stop.abort();
  assert.deepEqual(await Promise.all([forPlace, forTurn]), [false, false]);
});
