// A rate limit is waited out and the request sent again, but not without end; and what stops the run ends the wait.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter, rateLimitedHttp } from '#bulk/rate-limiter.ts';
import { createHurriedClock, createTestClock } from '#test/support/clock.ts';
import type { Http } from '#world/world.ts';

const request = { method: 'PUT', url: 'http://service.test/', headers: {} };
const options = { timeoutMs: 1000, maxBytes: 1000 };
const response = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers,
  body: new Uint8Array(),
});

test('gives up after 30 responses of 429, and passes the last one on', async () => {
  const clock = createHurriedClock();
  const rateLimiter = createRateLimiter(clock, { maxConcurrency: 1, stop: new AbortController().signal });
  let sent = 0;
  const http: Http = {
    send: async () => {
      sent++;
      return response(429, { 'retry-after': '1' });
    },
  };
  await rateLimiter.acquire();
  const outcome = await rateLimitedHttp({ http, clock }, rateLimiter).send(request, options);
  assert.deepEqual([sent, 'status' in outcome && outcome.status], [30, 429]);
  // What the caller acquired is still its own to release.
  assert.equal(rateLimiter.tryAcquire(), false);
  rateLimiter.release();
});

test('waits out 29 responses of 429, each as long as the service asks; the next response counts', async () => {
  const clock = createHurriedClock();
  const rateLimiter = createRateLimiter(clock, { maxConcurrency: 1, stop: new AbortController().signal });
  let sent = 0;
  const http: Http = { send: async () => response(++sent < 30 ? 429 : 200, { 'retry-after': '61' }) };
  const began = clock.now();
  await rateLimiter.acquire();
  const outcome = await rateLimitedHttp({ http, clock }, rateLimiter).send(request, options);
  assert.deepEqual([sent, 'status' in outcome && outcome.status], [30, 200]);
  assert.equal(clock.now() - began, 29 * 61_000);
});

const slowDate = { date: 'Mon, 05 Jan 2026 11:59:00 GMT' };
for (const [name, headers, waitsMs] of [
  ['0', { 'retry-after': '0' }, [1000, 2000, 4000]],
  ['less than the backoff', { 'retry-after': '2' }, [2000, 2000, 4000]],
  [
    'a date from a clock that is a minute behind',
    { ...slowDate, 'retry-after': 'Mon, 05 Jan 2026 11:59:03 GMT' },
    [3000, 3000, 4000],
  ],
  [
    'a date that has passed on the same clock',
    { ...slowDate, 'retry-after': 'Mon, 05 Jan 2026 11:58:00 GMT' },
    [1000, 2000, 4000],
  ],
  ['a date without a Date', { 'retry-after': 'Mon, 05 Jan 2026 12:30:00 GMT' }, [1000, 2000, 4000]],
  [
    'a date from a clock that is two days behind',
    { date: 'Sat, 03 Jan 2026 12:00:00 GMT', 'retry-after': 'Sat, 03 Jan 2026 12:30:00 GMT' },
    [1000, 2000, 4000],
  ],
] as const)
  test(`a bulk run waits at least its own backoff; Retry-After: ${name}`, async () => {
    const clock = createHurriedClock();
    const rateLimiter = createRateLimiter(clock, { maxConcurrency: 1, stop: new AbortController().signal });
    let sent = 0;
    const http: Http = { send: async () => response(++sent < 4 ? 429 : 200, headers) };
    await rateLimiter.acquire();
    await rateLimitedHttp({ http, clock }, rateLimiter).send(request, options);
    assert.deepEqual([sent, clock.waits], [4, waitsMs]);
  });

test('a run stopped while waiting sends nothing more', async () => {
  const stop = new AbortController();
  const clock = createTestClock(() => stop.abort());
  const rateLimiter = createRateLimiter(clock, { maxConcurrency: 1, stop: stop.signal });
  let sent = 0;
  const http: Http = {
    send: async () => {
      sent++;
      return response(429, { 'retry-after': '60' });
    },
  };
  await rateLimiter.acquire();
  const outcome = await rateLimitedHttp({ http, clock }, rateLimiter).send(request, options);
  assert.deepEqual([sent, 'fault' in outcome && [outcome.fault, outcome.sent]], [1, ['aborted', false]]);
});
