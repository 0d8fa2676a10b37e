// Why a bulk waits, as its progress tells it: because the service asked for that, or because wm thinks it better.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '../../src/emulator/sample-ids.ts';
import { createWorld } from '../../src/world/real.ts';
import type { Clock, Http } from '../../src/world/world.ts';
import { createTestClock } from '../clock.ts';
import { emulated } from './emulated.ts';

const input = `id,title\n${sample.task},a\n`;
const argv = ['task', 'update', '--from', '-', '--yes', '--concurrency', '1'];

/** Whoever sleeps is woken at once, and what is due meanwhile has been done. */
function sleepless(): Clock {
  const clock = createTestClock();
  return { ...clock, sleep: async (milliseconds) => clock.advance(milliseconds) };
}

// Progress is told every ten seconds; five pauses of our own end after 1, 3, 7, 15 and 31.
const waits: readonly [string, object, RegExp, RegExp][] = [
  [
    'asked by the service',
    { status: 429, retryAfter: 50, times: 1 },
    /0 of 1 rows, 0\/s; the service asked to wait \d+ s\n/,
    /too many/,
  ],
  [
    'after a rate limit that names no time',
    { status: 429, times: 5 },
    /0 of 1 rows, 0\/s; too many requests for the service: continuing in \d+ s\n/,
    /asked/,
  ],
];

for (const [why, fault, told, not] of waits) {
  test(`a pause: ${why}`, async (context) => {
    const { wm, control } = await emulated(context);
    await control('faults', { call: 'updateTask', ...fault });
    const ran = await wm(argv, { input, world: { clock: sleepless() } });
    assert.match(ran.errors, told);
    assert.doesNotMatch(ran.errors, not);
  });
}

test('a pause: where nothing can be sent', async (context) => {
  // No jitter: three tries before each pause then take no time.
  context.mock.method(Math, 'random', () => 0);
  const { wm } = await emulated(context);
  const real = createWorld().http;
  let lost = 15;
  const http: Http = {
    send: async (request, options) =>
      lost-- > 0 ? { fault: 'refused', sent: false, detail: 'nobody listens' } : real.send(request, options),
  };
  const ran = await wm(argv, { input, world: { clock: sleepless(), http } });
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /0 of 1 rows, 0\/s; nothing can be sent just now: retrying in \d+ s\n/);
  assert.doesNotMatch(ran.errors, /asked|too many/);
});
