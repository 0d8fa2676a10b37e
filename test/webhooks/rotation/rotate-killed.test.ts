// `wm webhook rotate-secret`, killed at its create and run again with the same arguments. rotate-killed.deep.test.ts kills it at each
// request, and once as a process.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modes, play } from './killed-rotations.ts';
import { rotating } from './rotating.ts';

test('killed after creating the successor, and run again', async (context) => {
  const [mode] = modes;
  assert.ok(mode);
  const service = await rotating(context);
  const complete = await play(service, mode, 'whole');
  const index = 1 + complete.requests.findIndex((request) => /^POST .*webhooks$/.test(request));
  const { state } = await play(service, mode, 'hook-after', { at: index, when: 'after' });
  assert.deepEqual(state, complete.state);
});
