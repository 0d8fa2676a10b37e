// Time limits on a clock that the test moves: what uses one up, and what does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTestClock, type TestClock } from '#test/support/clock.ts';

/** A limit of 30 s, and whether it has ended. */
function limited(clock: TestClock) {
  let isOver = false;
  const limit = clock.limit(30_000, () => {
    isOver = true;
  });
  return {
    limit,
    /** After the turns that a limit waits before it ends. */
    async isOver() {
      for (let turn = 0; turn < 4; turn++) await clock.nextTurn();
      return isOver;
    },
  };
}

test('fires after its time, not before, and not once cancelled', async () => {
  const clock = createTestClock();
  const { limit, isOver } = limited(clock);
  const cancelled = limited(clock);
  clock.advance(29_999);
  assert.equal(limit.remainingMs(), 1);
  assert.equal(await isOver(), false);
  cancelled.limit.cancel();
  clock.advance(1);
  assert.equal(limit.remainingMs(), 0);
  clock.stop(40_000);
  assert.equal(limit.remainingMs(), 0, 'a freeze after its end is nothing to it');
  assert.equal(await isOver(), true);
  assert.equal(await cancelled.isOver(), false);
  assert.equal(cancelled.limit.remainingMs(), 0);
});

test('restarts for a process that was stopped, even past its end', async () => {
  for (const before of [0, 500, 12_345, 29_900]) {
    const clock = createTestClock();
    const { limit, isOver } = limited(clock);
    clock.advance(before);
    clock.stop(40_000);
    assert.equal(limit.remainingMs(), 30_000);
    clock.advance(29_999);
    assert.equal(await isOver(), false, `stopped after ${before} ms`);
    clock.advance(1);
    assert.equal(await isOver(), true, `stopped after ${before} ms`);
  }
});

test('restarts after the machine slept: its timers stood still, but not the time of day', async () => {
  const clock = createTestClock();
  const { limit, isOver } = limited(clock);
  clock.advance(29_500);
  clock.sleepMachine(3_600_000);
  assert.equal(limit.remainingMs(), 30_000);
  clock.advance(20_000);
  assert.equal(await isOver(), false);
  clock.advance(11_000);
  assert.equal(await isOver(), true);
});

test('a clock set back is not a sleep, and extends nothing', async () => {
  const clock = createTestClock();
  const { isOver } = limited(clock);
  clock.advance(10_000);
  clock.sleepMachine(-30 * 86_400_000);
  clock.advance(20_000);
  assert.equal(await isOver(), true);
});

test('handles a response that is ready at the deadline first', async () => {
  const clock = createTestClock();
  const heard: string[] = [];
  const limit = clock.limit(1000, () => heard.push('end'));
  setImmediate(() => {
    heard.push('response');
    limit.cancel();
  });
  clock.advance(1000);
  for (let turn = 0; turn < 4; turn++) await clock.nextTurn();
  assert.deepEqual(heard, ['response']);
});

type Move = { readonly what: 'run' | 'stop' | 'sleep'; readonly ms: number };
const moves = fc.array(
  fc.record<Move>({
    what: fc.constantFrom('run', 'stop', 'sleep'),
    ms: fc.integer({ min: 0, max: 60_000 }),
  }),
  { maxLength: 12 },
);

test('always fires only after its full time awake since the last freeze', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const clock = createTestClock();
      const { limit, isOver } = limited(clock);
      let awake = 0;
      for (const { what, ms } of all) {
        const ended = await isOver();
        if (ended) break;
        if (what === 'run') {
          clock.advance(ms);
          awake += ms;
        } else if (what === 'stop') {
          clock.stop(ms);
          // A freeze of up to two seconds may be taken for a busy machine.
          awake = ms > 2000 ? 0 : awake + ms;
        } else {
          clock.sleepMachine(ms);
          if (ms > 1000) awake = 0;
        }
        if (awake < 30_000) assert.equal(await isOver(), false);
        // A machine that only slept has not noticed before it runs again.
        assert.ok(limit.remainingMs() <= 30_000);
      }
      clock.advance(30_000);
      clock.advance(30_000);
      assert.equal(await isOver(), true);
    }),
  );
});
