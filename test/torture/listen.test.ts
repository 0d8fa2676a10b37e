// npm run torture: a thousand kills of `wm webhook listen` under load, with counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killListeners } from '#test/receiver/listen/kill-rounds.ts';

test('1,000 kills: loses no acknowledged delivery, and keeps the order of each task', async () => {
  const counts = await killListeners(1_000);
  process.stderr.write(`kills of wm webhook listen: ${JSON.stringify(counts)}\n`);
  assert.equal(counts.lost, 0);
  assert.equal(counts.outOfOrder, 0);
  assert.ok(counts.repeats <= counts.repeatsAtMost);
});
