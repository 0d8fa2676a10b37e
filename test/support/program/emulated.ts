// `wm` against an emulator of its own, for tests of commands: run in this process, signed in by the environment, with a
// folder of its own for settings and state.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emulatorEnvironment } from '#emulator/commands/environment.ts';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '#emulator/emulator.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Clock, World } from '#world/world.ts';
import { type Sent, send } from '../service/send.ts';
import { type Ran, run, type Setting } from './program.ts';

export interface Emulated {
  readonly emulator: RunningEmulator;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  wm(argv: readonly string[], more?: More): Promise<Ran>;
  /** A task as the emulator has it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  task(id: string, fields?: readonly string[]): Promise<any>;
  control(path: string, body?: unknown): Promise<unknown>;
}

interface More extends Pick<Setting, 'input' | 'exit' | 'world'> {
  readonly environment?: Readonly<Record<string, string>>;
}

/** A test, or the module for a whole file. */
export interface Ending {
  after(end: () => Promise<void>): void;
}

export async function emulated(
  test: Ending,
  options: EmulatorOptions = {},
  {
    signedOut = false,
    ...parts
  }: { readonly signedOut?: boolean; readonly server?: World['server']; readonly http?: World['http'] } = {},
): Promise<Emulated> {
  const world = { ...createWorld(), ...parts };
  const emulator = await startEmulator(world, { fixedTokens: true, ...options });
  assert.ok(!('fault' in emulator));
  const folder = await mkdtemp(join(tmpdir(), 'wm-command-'));
  test.after(async () => {
    await emulator.close();
    await rm(folder, { recursive: true, maxRetries: 3 });
  });
  const { WM_TOKEN, ...rest } = emulatorEnvironment({}, emulator, join(folder, 'config'));
  const environment = signedOut ? rest : { ...rest, WM_TOKEN };
  const ask = async (url: string, sent: Sent = {}) =>
    JSON.parse((await send(url, { ...sent, headers: { Authorization: `Bearer ${emulator.token}` } })).text);
  return {
    emulator,
    folder,
    environment,
    wm(argv, { world, environment: more, ...setting } = {}) {
      const own = { ...environment, ...more };
      const files = createFiles(own, process.platform, folder);
      return run(argv, { ...setting, environment: own, world: { files, ...world } });
    },
    async task(id, fields = []) {
      const query = fields.length === 0 ? '' : `?fields=${encodeURIComponent(JSON.stringify(fields))}`;
      return (await ask(`${emulator.baseUrl}/tasks/${id}${query}`)).data[0];
    },
    control: (path, body = {}) =>
      ask(`${emulator.controlUrl}/${path}`, { method: 'POST', body: JSON.stringify(body) }),
  };
}

/** The real clock, but for the time it shows. */
export function clockAt(milliseconds: number): Clock {
  return { ...createWorld().clock, now: () => milliseconds };
}
