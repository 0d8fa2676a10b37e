// A change to a file of settings on a disk that fails at each of its calls.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { everyCall, tellsOfDisk } from '#test/support/disk/every-call.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import { stageSettings } from './settings-stage.ts';

test('each disk call fails once: the file is old or new, and the message is correct', async (t) => {
  const { wm, path, folder, environment } = await stageSettings(t);
  const before = '{ "timeout": 60, "tiemout": "as it was" }';
  const counts = await everyCall(
    async ({ system }) => {
      await rm(join(folder, 'config'), { recursive: true, force: true });
      await mkdir(join(folder, 'config'), { mode: 0o700 });
      await writeFile(path, before);
      const files = createFiles(environment, process.platform, folder, undefined, system);
      const lock = createLock(process.platform, createWorld().clock, system);
      const ran = await wm(['config', 'set', 'client-id', 'app'], { world: { files, lock } });
      const now = JSON.parse(await readFile(path, 'utf8'));
      const isSet = now['client-id'] === 'app';
      assert.deepEqual(now, { timeout: 60, tiemout: 'as it was', ...(isSet ? { 'client-id': 'app' } : {}) });
      if (ran.status === 0) assert.ok(isSet, ran.errors);
      else assert.ok(!isSet && tellsOfDisk(ran.errors), ran.errors);
      // What the next change does not need is not left behind for ever.
      await wm(['config', 'set', 'timeout', '5'], { exit: 0 });
      const left = (await readdir(join(folder, 'config'))).filter((name) => !name.endsWith('.lock'));
      assert.deepEqual(left, ['config.json']);
      return ran.status === 0 ? 'set' : 'not set';
    },
    { faults: ['ENOSPC', 'EIO for good'] },
  );
  assert.deepEqual(counts.violations, []);
  assert.ok(counts.struck > 10, JSON.stringify(counts));
  assert.ok((counts.ended['not set'] ?? 0) > 5, JSON.stringify(counts));
});
