// A real `kill -9` at random moments, while deliveries come in and are forwarded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killListeners } from './kill-rounds.ts';

test('20 kills: no acknowledged delivery is lost, and each task keeps its order', async (context) => {
  const counts = await killListeners(20);
  context.diagnostic(JSON.stringify(counts));
  assert.equal(counts.lost, 0);
  assert.equal(counts.outOfOrder, 0);
  assert.ok(counts.repeats <= counts.repeatsAtMost);
  assert.deepEqual(Object.keys(counts.responses), ['200']);
});
