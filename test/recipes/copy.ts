// A copy of the project in which the recipes are followed: all of them, or all but one step. Its checks are the project's
// own: the compiler, and the tests that hold the tables of the contract, of the emulator and of the commands.

import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { fileOf, followStep, recipes, type Step } from './recipes.ts';

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

export interface Copy {
  readonly folder: string;
  /** Follows every recipe anew; leaves out one step, where one is given. */
  follow(without?: Step): Promise<void>;
  /** The first of the checks that fails, with what it prints. */
  failedCheck(): Promise<{ readonly check: string; readonly output: string } | undefined>;
  /** Runs a program in the copy. */
  run(...command: readonly [string, ...string[]]): Promise<Ended>;
  remove(): Promise<void>;
}

const test = 'scripts/test.mjs';
/** Each is a command of the copy. The cheapest are first, since the first that fails is enough. */
const checks: Readonly<Record<string, readonly string[]>> = {
  types: ['node_modules/typescript/bin/tsc', '--noEmit'],
  tables: [
    test,
    'test/structure/architecture',
    'test/root/failure',
    'test/contract/witness',
    'test/emulator/rows',
    'test/emulator/update/update',
    'test/emulator/curl',
    'test/tasks/update-requests',
    'test/app/help-width',
    'test/app/invocations',
    'test/cli/settings/change-settings.test',
    'test/workspace/timelog-add',
    'test/tools/probing/probe',
  ],
  'every command has a transcript, and a line in README': [
    test,
    'test/transcript/transcript',
    'test/documents/readme',
    '--test-name-pattern=every command|made-up',
  ],
  'every flag is typed at its command': [
    test,
    'test/transcript/transcript.test',
    'test/workspace/space-list',
    'test/terminal/one-line',
    '--typed-flags=space list',
  ],
  events: [
    test,
    'test/emulator/control/control',
    'test/emulator/dispatch/delivery',
    '--test-name-pattern=witness|each event',
  ],
};

const steps = recipes.flatMap((recipe) => recipe.steps);
const left = ['node_modules', 'build', 'dist', '.git'].map((name) => resolve(name));

export async function copyProject(): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-recipes-'));
  const from = resolve('.');
  await cp(from, folder, {
    recursive: true,
    filter: (path) => !left.some((one) => path === one || path.startsWith(one + sep)),
  });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  const files = [...new Set(steps.map(fileOf))];
  const originals = new Map<string, string | undefined>();
  for (const file of files) originals.set(file, await readFile(file, 'utf8').catch(() => undefined));

  const run: Copy['run'] = (command, ...rest) =>
    new Promise((done, fail) => {
      const { WM_TOKEN: _, NODE_TEST_CONTEXT: __, ...environment } = process.env;
      const child = spawn(command, rest, {
        cwd: folder,
        env: { ...environment, HOME: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text) => {
          output += text;
        });
      child.on('error', fail);
      child.on('close', (status) => done({ status, output }));
    });

  return {
    folder,
    run,
    async follow(without) {
      for (const [file, original] of originals) {
        const own = steps.filter((step) => step !== without && fileOf(step) === file);
        const path = join(folder, file);
        if (original === undefined && own.length === 0) await rm(path, { force: true });
        else await writeFile(path, own.reduce(followStep, original ?? ''));
      }
    },
    async failedCheck() {
      for (const [check, command] of Object.entries(checks)) {
        const { status, output } = await run(process.execPath, ...command);
        if (status !== 0) return { check, output };
      }
      return undefined;
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
