// A copy of the project in which the recipes are followed: all of them, or all but one step.

import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { type Check, commandOf } from './checks.ts';
import { fileOf, followStep, recipes, type Step } from './recipes.ts';

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

export interface Copy {
  readonly folder: string;
  /** Follows every recipe anew; leaves out one step, where one is given. */
  follow(without?: Step): Promise<void>;
  check(check: Check): Promise<Ended>;
  /** Runs a program in the copy. */
  run(...command: readonly [string, ...string[]]): Promise<Ended>;
  remove(): Promise<void>;
}

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
    check: (check) => run(process.execPath, ...commandOf(check)),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
