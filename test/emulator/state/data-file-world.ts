// Emulators that are started one after another on the same data file, with one clock that only the test moves.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type EmulatorOptions, startEmulator } from '#emulator/emulator.ts';
import { createHurriedClock } from '#test/support/clock.ts';
import { handClock, type Started } from '#test/support/service/start-emulator.ts';
import { createFiles } from '#world/files.ts';
import { createHttp } from '#world/http.ts';
import { createLock } from '#world/lock.ts';
import { randomBytes } from '#world/random.ts';
import { createServer } from '#world/server.ts';

export async function dataFileWorld(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'wm-data-file-'));
  const emulators: Started[] = [];
  t.after(async () => {
    // The last one writes its file when it ends.
    for (const emulator of emulators) await emulator.close();
    await rm(folder, { recursive: true });
  });
  const dataFile = join(folder, 'data.json');
  const clock = handClock();
  const logged: string[] = [];
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform);
  const lock = createLock(process.platform, createHurriedClock());
  const world = { server: createServer(), http: createHttp({}), clock, files, lock, randomBytes };
  /** Starts an emulator, which may fail. */
  const begin = (options: EmulatorOptions = {}) =>
    startEmulator(world, { dataFile, fixedTokens: true, log: (line) => logged.push(line), ...options });
  const start = async (options: EmulatorOptions = {}): Promise<Started> => {
    const running = await begin(options);
    assert.ok(!('fault' in running), JSON.stringify(running));
    const emulator = { ...running, clock, logged };
    emulators.push(emulator);
    return emulator;
  };
  return { folder, dataFile, clock, logged, files, world, begin, start };
}
