// A time limit on the real clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from '#world/clock.ts';

test('on the real clock: fires after its time, and restarts after the thread was blocked', async () => {
  const clock = createClock();
  const began = performance.now();
  await new Promise<void>((end) => clock.limit(50, end));
  assert.ok(performance.now() - began >= 49);
  const limit = clock.limit(1500);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2100);
  assert.equal(limit.remainingMs(), 1500);
  limit.cancel();
});
