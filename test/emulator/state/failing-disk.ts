// A data file on a disk that fails at one call after the other: one kind of fault is quick, and every kind is deep.

import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startEmulator } from '#emulator/emulator.ts';
import {
  createFaultySystem,
  type Fault,
  type FaultySystem,
  type Plan,
} from '#test/support/disk/faulty-system.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { handClock, update } from '#test/support/service/start-emulator.ts';
import { createClock } from '#world/clock.ts';
import { createFiles } from '#world/files.ts';
import { createHttp } from '#world/http.ts';
import { createLock } from '#world/lock.ts';
import { randomBytes } from '#world/random.ts';
import { createServer } from '#world/server.ts';

export async function inFolder(t: TestContext) {
  const folder = await ownFolder(t);
  const dataFile = join(folder, 'data.json');
  const clock = handClock();
  const start = async ({ system }: FaultySystem) => {
    const logged: string[] = [];
    let wake: (() => void)[] = [];
    const log = (line: string) => {
      logged.push(line);
      for (const resume of wake) resume();
      wake = [];
    };
    /** Resolves once that many lines are in the log. */
    const lines = async (count: number) => {
      while (logged.length < count) await new Promise<void>((resolve) => wake.push(resolve));
    };
    const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder, undefined, system);
    const lock = createLock(process.platform, createClock(), system);
    const world = { server: createServer(), http: createHttp({}), clock, files, lock, randomBytes };
    const emulator = await startEmulator(world, { dataFile, log });
    return { emulator, logged, lines };
  };
  /** The title that the file holds; nothing where there is no file. Fails where it holds half of one. */
  const titleInFile = async (): Promise<string | undefined> => {
    const text = await readFile(dataFile, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const { tasks } = JSON.parse(text);
    return tasks.find(({ id }: { id: string }) => id === 'IEAAAAAQKQAB5BNG').title;
  };
  return { folder, dataFile, clock, start, titleInFile };
}

/** A disk that can be filled, and counts the writes that were tried. */
export function fillable() {
  const disk = createFaultySystem();
  const state = { isFull: false, tries: 0 };
  disk.before = (name) => {
    if (!name.startsWith('write ')) return undefined;
    state.tries += 1;
    return state.isFull
      ? Promise.reject(new Error("ENOSPC: no space left on device, write 'dätä'"))
      : undefined;
  };
  return { disk, state };
}

/** Every call to the file system fails once, where there is a data file already and where there is none. */
export async function failEachCall(
  t: TestContext,
  chosen: readonly Fault[],
  there: readonly boolean[],
): Promise<void> {
  const { folder, start, titleInFile } = await inFolder(t);
  const counts = { runs: 0, notStarted: 0, reported: 0, saved: 0 };
  for (const fault of chosen) {
    for (const isThere of there) {
      for (let at = 0; ; at++) {
        for (const name of await readdir(folder)) await rm(join(folder, name));
        if (isThere) {
          const { emulator } = await start(createFaultySystem());
          assert.ok(!('fault' in emulator));
          await update(emulator, { title: 'before' });
          assert.equal(await emulator.close(), undefined);
        }
        const plan: Plan = { at, fault };
        const disk = createFaultySystem(plan);
        const { emulator } = await start(disk);
        counts.runs += 1;
        const what = JSON.stringify({ ...plan, isThere, struck: disk.struck });
        if ('fault' in emulator) {
          counts.notStarted += 1;
          assert.notEqual(emulator.detail, '', what);
        } else {
          await update(emulator, { title: 'after' });
          const end = await emulator.close();
          if (end === undefined) {
            counts.saved += 1;
            assert.equal(await titleInFile(), 'after', what);
          } else {
            counts.reported += 1;
            assert.match(end.detail, /^E[A-Z]+: /, what);
          }
        }
        await disk.close();
        // What was there before is still there, whole.
        const title = await titleInFile();
        if (isThere) assert.ok(title === 'before' || title === 'after', `${what}: ${title}`);
        const again = await start(createFaultySystem());
        assert.ok(!('fault' in again.emulator), what);
        assert.equal(await again.emulator.close(), undefined);
        assert.deepEqual((await readdir(folder)).sort(), ['data.json', 'data.json.lock'], what);
        if (disk.calls.length <= at) break;
      }
    }
  }
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.notStarted > 0 && counts.reported > 0 && counts.saved > 0);
}
