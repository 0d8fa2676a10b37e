// `wm webhook apply`, killed at each of its requests, and run again: the state is the same each time, without duplicates, with
// and without what this machine recorded, and where the service shows no more than the contract says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expected, killAndRunAgain, modes, openStage } from './apply-stage.ts';

for (const mode of modes) {
  test(`killed at each request, and run again: ${mode.name}`, async (context) => {
    const stage = await openStage(context, mode);
    await stage.reset();
    assert.equal(await stage.apply(), 0);
    const methods = stage.recording.requests().map((request) => request.split(' ', 1)[0]);
    assert.ok(methods.length >= 12, methods.join(' '));
    assert.deepEqual(await stage.state(), expected);
    // With the flag, a rerun cannot tell what it created, so it creates it again each time.
    const isRepeatable = mode.flags === undefined;
    // Before a request that only reads, everything is as it is after it.
    for (const [index, method] of methods.entries())
      for (const when of method === 'GET' ? (['after'] as const) : (['before', 'after'] as const)) {
        const kill = () => stage.kill({ at: index + 1, when });
        await killAndRunAgain(stage, `killed ${when} request ${index + 1}`, kill, isRepeatable);
      }
  });
}
