// `wm webhook apply` where nothing can be written: a full disk from any call on, or a missing state folder. It still makes the
// changes and warns; once there is room, a second run changes nothing.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { applyWithoutRoom, expected, scene } from './full-disk.ts';

test('disk full from some call on: makes every change exactly once', async (context) => {
  const counts = await applyWithoutRoom(context, { faults: ['ENOSPC for good'], step: 1000 });
  assert.deepEqual(counts.violations, []);
  assert.ok((counts.ended['warned'] ?? 0) >= 1, JSON.stringify(counts));
});

test('a state folder that cannot be created: makes every change exactly once', async (context) => {
  const { reset, state, apply } = await scene(context);
  const config = await reset();
  await writeFile(config, 'a file, where the folder would be');
  for (const line of [/3 changes|Created:/, /Nothing differs from the file/]) {
    const ran = await apply(config, createFaultySystem());
    assert.equal(ran.status, 0, ran.errors);
    assert.match(ran.errors, line);
    assert.match(ran.errors, /^Cannot record .*$/m);
    assert.deepEqual(await state(), expected);
  }
});
