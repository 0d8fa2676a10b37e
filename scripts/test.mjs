// Builds the program and the tests, then runs the tests. Arguments choose test files by a part of their path; without
// any, all of them run. --slice=1/2 takes every second of those, --slice=2/2 the others. A folder works with `node --test`
// on 20 only and globs on 22 only, so the files are named.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildTests, testEnvironment } from './build-tests.mjs';
import { chooseSlice, chooseTests } from './choose-tests.mjs';
import { hungTests } from './hung-tests.mjs';
import './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));

const readFlag = (name) => flags.find((flag) => flag.startsWith(`--${name}=`))?.split('=')[1];
const isOurs = (flag) => /^--(?:slice|test-timeout)=/.test(flag);

const { chosen: all, isShort } = chooseTests(await readdir(`${root}test`, { recursive: true }), wanted);
const chosen = chooseSlice(all, readFlag('slice') ?? '1/1');
if (chosen.length === 0) {
  process.stderr.write(`No test file matches ${wanted.join(' ')}\n`);
  process.exit(2);
}

const folder = `build/test-${process.pid}`;
const built = await buildTests(root, chosen, folder);
const running = `${root}${folder}/running`;
await mkdir(running);
const child = spawn(
  process.execPath,
  [
    '--enable-source-maps',
    '--import',
    new URL('note-running.mjs', import.meta.url).href,
    '--test',
    // By itself Node leaves a core free: of two, half.
    `--test-concurrency=${availableParallelism()}`,
    ...reporters(flags),
    ...flags.filter((flag) => !isOurs(flag)),
    ...built,
  ],
  { cwd: root, stdio: 'inherit', env: { ...testEnvironment(), TEST_RUNNING: running } },
);

/** Node's own choice differs between its versions. In a log the failed tests also stand at the end, where they are found. */
function reporters(flags) {
  if (flags.some((flag) => flag.startsWith('--test-reporter'))) return [];
  if (process.stdout.isTTY) return ['--test-reporter=spec'];
  return [
    ['tap', 'stdout'],
    [new URL('failed-tests.mjs', import.meta.url).href, 'stderr'],
  ].flatMap(([reporter, stream]) => [`--test-reporter=${reporter}`, `--test-reporter-destination=${stream}`]);
}

/** For a test: long enough on any machine. Torture and system tests have minutes of work in one. */
const limitMs = Number(readFlag('test-timeout') ?? (isShort ? 10 : 60) * 60_000);
const hung = [];
const watching = setInterval(async () => {
  for (const { pid, file, tests } of await hungTests(running, Date.now() - limitMs)) {
    const what = tests.length === 0 ? 'outside its tests' : `in: ${tests.join(' > ')}`;
    if (hung.every((one) => one.pid !== pid))
      hung.push({ pid, text: `${file} stood still for ${limitMs / 1000} s ${what}` });
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}, 2_000);
const [status, signal] = await once(child, 'exit');
clearInterval(watching);

for (const { text } of hung) process.stderr.write(`${text}\n`);
if (signal) process.stderr.write(`The tests were ended by ${signal}\n`);
process.exitCode = hung.length > 0 ? 1 : (status ?? 1);
await rm(`${root}${folder}`, { recursive: true, force: true });
