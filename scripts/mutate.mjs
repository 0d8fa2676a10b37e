// npm run mutate: makes one small change to the source at a time, in a copy of the clone, and checks that a test notices. Runs the
// tests of the same folder first, with the transcripts of its commands; then the quick suite, then the deep one, until one fails.
// docs/decisions/mutation.md has the reasons.
//
//   npm run mutate -- --sample 20 --seed 7      a random sample, the same number from each folder
//   npm run mutate -- src/bulk/journal          all changes of the files whose path contains that text
//
// `--minutes N` starts no new change after N minutes (default: 120). `--own` runs only the tests of the same folder and the transcripts.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { slashed } from './choose-tests.mjs';
import { withCopy } from './copy-of-clone.mjs';
import { listMutants } from './mutants.mjs';

/** The emulator's sample is data. */
const scope =
  /^src\/(?:account|app|bulk|cli|client|contract|emulator|login|receiver|tasks|tools|webhooks|workspace)\/(?!(?:.*\/)?sample)/;
const limitMs = 15 * 60_000;

const { values, positionals } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '120' },
    own: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const root = fileURLToPath(new URL('..', import.meta.url));
const mutants = await allMutants();
const wanted = Number(values.sample ?? mutants.length);
process.stdout.write(`${mutants.length} changes are possible\n`);

const transcripts = await transcriptsByFolder();
const counts = {};
await withCopy(root, 'mutation', async (copy) => {
  const temporary = await mkdtemp(join(tmpdir(), 'wm-m-'));
  const tests = (await readdir(`${root}test`, { recursive: true })).map(slashed);
  const before = await run(copy, temporary, 'scripts/test.mjs');
  if (before !== undefined) throw new Error(`Without a change, the quick suite fails: ${before}`);
  let tried = 0;
  for (const mutant of values.sample === undefined ? mutants : mixed(mutants)) {
    if (tried === wanted || performance.now() > Number(values.minutes) * 60_000) break;
    const path = `${copy}${mutant.file}`;
    const source = await readFile(path, 'utf8');
    await writeFile(path, source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end));
    const outcome = await tryMutant(copy, temporary, tests, mutant);
    await writeFile(path, source);
    const kind = outcome.split(':')[0];
    // `npm run check` would find this one, so another takes its place.
    if (kind !== 'rejected by the compiler') tried++;
    counts[kind] = (counts[kind] ?? 0) + 1;
    const original = source.slice(mutant.start, mutant.end).replace(/\s+/g, ' ');
    process.stdout.write(`${mutant.file}:${mutant.line} ${original} -> ${mutant.replacement}: ${outcome}\n`);
  }
  await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
});
process.stdout.write(`${JSON.stringify(counts)}\n`);

async function tryMutant(copy, temporary, tests, { file }) {
  if ((await run(copy, temporary, 'node_modules/typescript/bin/tsc', '--noEmit')) !== undefined)
    return 'rejected by the compiler';
  let near = dirname(file).slice('src/'.length);
  while (near !== '.' && !tests.includes(near)) near = dirname(near);
  const nearTests = tests
    .filter((test) => test.startsWith(`${near}/`) && /(?<!\.deep)\.test\.ts$/.test(test))
    .map((test) => `test/${test}`);
  const played = transcripts.get(file.split('/')[1]) ?? [];
  const suites = {
    'tests of its folder': nearTests,
    ...(played.length > 0 && {
      'transcripts of its commands': [
        'test/transcript/transcript',
        `--test-name-pattern=(?:${played.join('|')})$`,
      ],
    }),
    ...(!values.own && { 'quick suite': [], 'deep suite': ['--deep'] }),
  };
  for (const [name, words] of Object.entries(suites)) {
    const by = await run(copy, temporary, 'scripts/test.mjs', '--test-timeout=180000', ...words);
    if (by !== undefined) return `killed by the ${name}: ${by}`;
  }
  return 'survived';
}

/** Ends at the first failing test and returns its name; undefined if all tests pass. */
async function run(copy, temporary, ...words) {
  const child = spawn(process.execPath, words, {
    cwd: copy,
    // In its own process group, so that everything it started ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TMPDIR: temporary },
  });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  let failed;
  const fail = (why) => {
    failed ??= why;
    end();
  };
  const timer = setTimeout(() => fail('a time limit'), limitMs);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    text += piece;
    const name = /^FAILED (.*)\n/m.exec(text)?.[1];
    if (name !== undefined) fail(name);
  });
  const [status] = await once(child, 'close');
  clearTimeout(timer);
  end();
  return failed ?? (status === 0 ? undefined : `exit status ${status}`);
}

/** The transcripts that type a command of each folder of src/, by src/app/commands.ts. */
async function transcriptsByFolder() {
  const folderOf = new Map();
  let [group, words] = ['', ''];
  const table = await readFile(`${root}src/app/commands.ts`, 'utf8');
  for (const [, first, one, member, folder] of table.matchAll(
    /group\('(\w+)'|row\('([\w -]+)'|^ +'?([\w-]+)'?: \[|import\('#(\w+)\//gm,
  )) {
    if (first) group = first;
    words = one ?? (member ? `${group} ${member}` : words);
    if (folder && words) folderOf.set(words, folder);
  }
  const byFolder = new Map();
  for (const name of (await readdir(`${root}test/transcript`)).filter((name) => name.endsWith('.txt'))) {
    const text = await readFile(`${root}test/transcript/${name}`, 'utf8');
    for (const [typed, folder] of folderOf)
      if (new RegExp(`^\\$.*\\bwm ${typed}\\b`, 'm').test(text))
        byFolder.set(folder, (byFolder.get(folder) ?? new Set()).add(name));
  }
  return new Map([...byFolder].map(([folder, names]) => [folder, [...names]]));
}

async function allMutants() {
  const files = (await readdir(`${root}src`, { recursive: true }))
    .map((file) => `src/${slashed(file)}`)
    .filter((file) => file.endsWith('.ts'))
    .filter((file) =>
      positionals.length === 0 ? scope.test(file) : positionals.some((part) => file.includes(part)),
    );
  const sources = await Promise.all(
    files.toSorted().map(async (file) => [file, await readFile(root + file, 'utf8')]),
  );
  return sources.flatMap(([file, source]) => listMutants(source).map((mutant) => ({ ...mutant, file })));
}

/** In a random order that takes one change from each folder of src/ in turn. */
function mixed(all) {
  const taken = {};
  const shuffles = fc.shuffledSubarray(all, { minLength: all.length });
  const [shuffled] = fc.sample(shuffles, { seed: Number(values.seed), numRuns: 1 });
  return shuffled
    .map((mutant) => {
      const folder = mutant.file.split('/')[1];
      taken[folder] = (taken[folder] ?? 0) + 1;
      return { mutant, turn: taken[folder] };
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ mutant }) => mutant);
}
