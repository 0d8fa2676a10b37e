// Builds the program and the tests, then runs the tests. Arguments choose test files by a part of their path; without
// any, all of them run. A folder works with `node --test` on 20 only and globs on 22 only, so the files are named.

import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildTests, testEnvironment } from './build-tests.mjs';
import { chooseTests } from './choose-tests.mjs';
import './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));

const { chosen, isShort } = chooseTests(await readdir(`${root}test`, { recursive: true }), wanted);
if (chosen.length === 0) {
  process.stderr.write(`No test file matches ${wanted.join(' ')}\n`);
  process.exit(2);
}

/** Long enough on any machine: it only names the test that hangs. Torture and system tests have minutes of work in one. */
const limitMinutes = isShort ? 10 : 60;
const folder = `build/test-${process.pid}`;
const built = await buildTests(root, chosen, folder);
const { status, signal } = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    `--test-timeout=${limitMinutes * 60_000}`,
    // By itself Node leaves a core free: of two, half.
    `--test-concurrency=${availableParallelism()}`,
    ...flags,
    ...built,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: testEnvironment(),
  },
);
if (signal) process.stderr.write(`The tests were ended by ${signal}\n`);
process.exitCode = status ?? 1;
await rm(`${root}${folder}`, { recursive: true, force: true });
