// A data file on a disk that a test can fill.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startEmulator } from '#emulator/emulator.ts';
import { createFaultySystem, type FaultySystem } from '#test/support/disk/faulty-system.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { handClock } from '#test/support/service/start-emulator.ts';
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
