// `wm webhook apply`, killed at each of its requests, and run again: the state is the same each time, without duplicates, with
// and without what this machine recorded, and where the service shows no more than the contract says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expected, type Kill, killAndRunAgain, modes, openStage } from './apply-stage.ts';

/** So many runs at once that neither core waits for a process to start. */
const stagesAtOnce = 3;

for (const mode of modes) {
  test(`killed at each request, and run again: ${mode.name}`, async (context) => {
    const stages = await Promise.all(Array.from({ length: stagesAtOnce }, () => openStage(context, mode)));
    const [first] = stages;
    assert.ok(first);
    await first.reset();
    assert.equal(await first.apply(), 0);
    const methods = first.recording.requests().map((request) => request.split(' ', 1)[0]);
    assert.ok(methods.length >= 12, methods.join(' '));
    assert.deepEqual(await first.state(), expected);
    // Before a request that only reads, everything is as it is after it.
    const kills = methods.flatMap((method, index): readonly Kill[] => [
      ...(method === 'GET' ? [] : [{ at: index + 1, when: 'before' } as const]),
      { at: index + 1, when: 'after' },
    ]);
    // With the flag, a rerun cannot tell what it created, so it creates it again each time.
    const isRepeatable = mode.flags === undefined;
    const next = kills.values();
    await Promise.all(
      stages.map(async (stage) => {
        for (const kill of next) await killAndRunAgain(stage, kill, isRepeatable);
      }),
    );
  });
}
