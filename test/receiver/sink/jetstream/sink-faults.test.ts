// How requests to NATS are retried: not by all receivers at the same moments.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilQuorum } from '#receiver/sink/jetstream/sink-faults.ts';
import { createTestClock } from '#test/support/clock.ts';

const noQuorum = { fault: 'no-quorum', detail: 'no leader' } as const;

test('the waits between retries differ from one receiver to the next, and end at the limit', async () => {
  for (const [chance, expected] of [
    [0, [150, 150, 150]],
    [0.5, [225, 225]],
    [1, [300, 300]],
  ] as const) {
    const clock = createTestClock((milliseconds) => clock.advance(milliseconds));
    const result = await untilQuorum({ clock, random: () => chance }, 700, async () => noQuorum);
    assert.deepEqual(result, noQuorum);
    assert.deepEqual(clock.waits, expected);
  }
});
