// `wm task undo` run again after one that died, or that could not be logged: it checks whether that one took effect, and sends
// nothing if so. test/transcript/task-undo-lost.txt shows those without a response.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';

const id = sample.task;

const undo = ['task', 'undo', id, '--yes'];

const update = ({ wm }: Emulated) => wm(['task', 'update', id, '--title', 'NEW', '--undoable'], { exit: 0 });

test('an undo that died before anybody read of it: the next undo sends nothing', async (context) => {
  const service = await emulated(context);
  const { title } = await service.task(id);
  await update(service);
  const asItDied = join(service.folder, 'as-it-died');
  const { WM_CONFIG_DIR: config = '', ...rest } = service.environment;
  const environment = { ...rest, WM_CONFIG_DIR: asItDied };
  await run(undo, {
    environment: service.environment,
    onOutput: () => cpSync(config, asItDied, { recursive: true }),
    exit: 0,
  });
  const settled = await run(undo, { environment, exit: 0 });
  assert.match(settled.errors, /had already taken effect\. Nothing was sent/);
  assert.equal((await service.task(id)).title, title);
});

test('an undo that took effect, but could not be logged: a warning, and the next undo checks again', async (context) => {
  const service = await emulated(context);
  await update(service);
  // Sent three times.
  await service.control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  const clock = { ...createWorld().clock, sleep: async () => {} };
  await service.wm(undo, { world: { clock }, exit: 9 });
  const own = createFiles(service.environment, process.platform, service.folder);
  const append = async () => {
    throw new Error('no space left on device');
  };
  const files = { ...own, stateFolder: own.stateFolder, append };
  const settled = await service.wm(undo, { world: { files }, exit: 0 });
  assert.match(settled.errors, /The undo log could not be written\. .*no space left/);
  const again = await service.wm([...undo, '--verbose'], { exit: 0 });
  assert.doesNotMatch(again.errors, /^PUT /m);
});
