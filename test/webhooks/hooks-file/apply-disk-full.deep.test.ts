// `wm webhook apply` where no room is left from any call to the disk on. It does what the file says all the same, warns, and once there is
// room a second run changes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyWithoutRoom } from './full-disk.ts';

test('disk full from any call on: makes every change exactly once', async (context) => {
  const counts = await applyWithoutRoom(context, { faults: ['ENOSPC for good', 'ENOSPC'], step: 8 });
  assert.deepEqual(counts.violations, []);
  assert.ok((counts.ended['warned'] ?? 0) >= 10, JSON.stringify(counts));
});
