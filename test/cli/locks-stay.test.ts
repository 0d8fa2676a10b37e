// No lock file is ever deleted: whoever waits for one holds it open, and would lock a file that nobody else can find.

import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startEmulator } from '#emulator/emulator.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';

test('the locks of a bulk run, an undo and the emulator data', async (context) => {
  const { wm, folder, environment } = await emulated(context);
  const { system, calls } = createFaultySystem();
  const real = createWorld();
  const files = createFiles(environment, process.platform, folder, undefined, system);
  const lock = createLock(process.platform, real.clock, system);
  const world = { files, lock };

  const rows = join(folder, 'rows.csv');
  await writeFile(rows, `id,title\n${sample.task},NEW\n`);
  const journal = join(folder, 'journal');
  const bulk = ['task', 'update', '--from', rows, '--yes', '--undoable', '--journal', journal];
  await wm(bulk, { exit: 0, world });
  await wm(['task', 'undo', sample.task, '--yes'], { exit: 0, world });
  const data = join(folder, 'data.json');
  const emulator = await startEmulator({ ...real, ...world }, { dataFile: data });
  assert.ok(!('fault' in emulator));
  await emulator.close();

  const locked = calls.filter((call) => /^open \S+\.lock$/.test(call));
  assert.ok(locked.length >= 3, calls.join('\n'));
  assert.deepEqual(
    calls.filter((call) => /^(?:unlink|rename) \S+\.lock$/.test(call)),
    [],
  );
  const left = await readdir(folder, { recursive: true });
  assert.equal(left.filter((name) => name.endsWith('.lock')).length, 3, left.join('\n'));
});
