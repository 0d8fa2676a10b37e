// Builds the program and the tests, then runs tests: the quick suite, or with --deep the deep one. Arguments choose test files of
// both by a part of their path. CONTRIBUTING.md says when to run which.

import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, statfs, writeFile } from 'node:fs/promises';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { buildTests, testEnvironment } from './build-tests.mjs';
import { chooseTests, slashed } from './choose-tests.mjs';
import { hasNatsServer } from './nats-server.mjs';
import { count, createProgress } from './testing/progress.mjs';
import { runFiles } from './testing/run-files.mjs';
import { findUntypedFlags, flagsToType } from './testing/typed-flags.mjs';
import './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const takeFlag = (name) => {
  const at = flags.findIndex((flag) => flag.split('=')[0] === `--${name}`);
  return at < 0 ? undefined : (flags.splice(at, 1)[0].split('=')[1] ?? 'true');
};
if (takeFlag('help')) {
  process.stdout.write(
    'Usage: npm test -- [PART-OF-A-PATH...] [--test-name-pattern=REGEXP] [--deep] [--seed=N] [--names=FILE] [--typed-flags=COMMAND] [--test-timeout=MS]\n',
  );
  process.exit();
}
const suite = takeFlag('deep') ? 'deep' : 'quick';
const limit = takeFlag('test-timeout');
const namePattern = takeFlag('test-name-pattern');
/** Tests of generated files write them first. */
const write = takeFlag('write') && { WRITE_FILES: '1' };
/** Gets the name of each test, one per line. */
const namesFile = takeFlag('names');
/** A command: fails if a flag of it is typed by none of the tests. */
const typedCommand = takeFlag('typed-flags');
/** For property tests. The quick suite has a fixed seed, so that only a change can make it fail. */
const seed = Number(takeFlag('seed') ?? (suite === 'deep' ? randomInt(2 ** 31) : 1));

const { chosen, isShort } = chooseTests(await readdir(`${root}test`, { recursive: true }), wanted, [suite]);
const unmatched = wanted.filter((part) => !chosen.some((file) => `test/${file}`.includes(slashed(part))));
if (unmatched.length > 0) {
  process.stderr.write(`No test file matches ${unmatched.join(', ')}\n`);
  process.exit(2);
}

if (chosen.some((file) => file.startsWith('sink/')) && !hasNatsServer()) {
  process.stderr.write('These tests need their own nats-server: node scripts/nats-server.mjs fetches it.\n');
  process.exit(2);
}

/** Two more than the cores: most tests wait half of the time for a response or a file, and other programs take their share. */
const processes = availableParallelism() + 2;
const isWhole = wanted.length === 0 && namePattern === undefined && flags.length === 0;
const expected = isWhole
  ? JSON.parse(await readFile(`${root}scripts/testing/expected.json`, 'utf8'))[suite]
  : undefined;
/** A folder holds files of both suites, and `npm test` alone leaves these out. */
const deep = chosen.filter((file) => file.endsWith('.deep.test.ts')).length;
process.stdout.write(
  expected === undefined
    ? `${chosen.length} test ${chosen.length === 1 ? 'file' : 'files'}${deep > 0 ? `, ${deep} of the deep suite` : ''}\n`
    : `The ${suite} suite: about ${count(expected.tests)} tests in ${chosen.length} files. Takes about ${Math.max(1, Math.round(expected.processorSeconds / availableParallelism() / 60))} min on ${availableParallelism()} idle cores.\n`,
);

if (suite === 'deep')
  process.stdout.write(`Random seed: ${seed}. To repeat this run: npm run test:deep -- --seed=${seed}\n`);

const folder = `build/test-${process.pid}`;
const temporary = await mkdtemp(join((await inMemory()) ?? tmpdir(), 'wm-t-'));
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    removeFolders();
    process.exit(128 + constants.signals[signal]);
  });
// The longest first, so that no process works alone at the end.
if (expected !== undefined)
  chosen.sort((a, b) => Number(expected.longest.includes(b)) - Number(expected.longest.includes(a)));
const built = await buildTests(root, chosen, folder);
const progress = createProgress({
  output: process.stdout,
  isTerminal: process.stdout.isTTY === true,
  columns: process.stdout.columns || 80,
  files: chosen.length,
  expected: expected?.tests,
  now: () => performance.now(),
});
const names = [];
const ran = [];
await runFiles(built, {
  folder: temporary,
  environment: { ...testEnvironment(), TEST_SEED: String(seed), ...write },
  namePattern,
  processes,
  // Long enough on any machine. A single torture or system test may work for minutes.
  limitMs: Number(limit ?? (isShort ? 10 : 60) * 60_000),
  flags,
  on(event) {
    if (event.kind === 'test' && event.ownName !== undefined) names.push(event.ownName);
    if (event.kind === 'file') ran.push(event);
    progress.on(event);
  },
});
const isToType = flagsToType({ suite, isWhole, wanted, command: typedCommand });
if (isToType !== undefined && process.platform !== 'win32') reportUntypedFlags();
const { tests, failed } = progress.end();
if (namesFile !== undefined)
  await writeFile(namesFile, names.map((name) => `${JSON.stringify(name)}\n`).join(''));
if (expected !== undefined && Math.abs(tests - expected.tests) > expected.tests / 20)
  process.stdout.write(
    `scripts/testing/expected.json promises ${count(expected.tests)} tests: correct it.\n`,
  );
if (tests === 0) process.stderr.write(`No test has a name that matches ${namePattern}\n`);
process.exitCode = failed > 0 ? 1 : tests === 0 ? 2 : 0;
removeFolders();

/** As one more test. Not on Windows, where many tests are skipped. */
function reportUntypedFlags() {
  const described = JSON.parse(
    execFileSync(process.execPath, [`${root}bin/wm.js`, 'help', '--json'], {
      maxBuffer: 1e8,
      encoding: 'utf8',
    }),
  );
  const untyped = findUntypedFlags(described, ran, isToType);
  const failure =
    untyped.length === 0 ? undefined : `${untyped.length} typed by no selected test\n${untyped.join('\n')}`;
  progress.on({ kind: 'test', file: 'all test files', name: 'every flag is typed at its command', failure });
}

function removeFolders() {
  for (const path of [`${root}${folder}`, temporary])
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/** A folder in memory with room for all tests that may run programs; on a disk, the suite takes 10 % more processor time. */
async function inMemory() {
  if (process.env.TMPDIR !== undefined) return undefined;
  const folder = '/dev/shm';
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const options = new RegExp(`^\\S+ ${folder} tmpfs (\\S+)`, 'm').exec(mounts)?.[1];
  if (options === undefined || /\b(?:noexec|ro)\b/.test(options)) return undefined;
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= 2 ** 30 ? folder : undefined;
}
