// npm run mutate: changes one small thing of the source at a time, and looks whether a test fails. All changes are in one
// build, each behind a switch; a change is tried against the test files that run it, the likeliest first, until one fails.
//
//   npm run mutate -- --sample 400 --seed 7 --slice 3/8     a random sample, in slices that another run goes on with
//   npm run mutate -- src/bulk/journal                      all changes of the files whose path has that text
//
//   npm run mutate -- --again build/mutation/results-….ndjson   what survived an earlier run, as it is now
//
// What survives is tried against the compiler too. --minutes N starts no further change after N minutes (20; 0: no limit),
// and says how many were not tried. --tests PART lets only these test files try, --without PART all but these. The first run of a sample takes as long as
// all tests do before it changes anything. The results are in build/mutation/; docs/decisions/mutation.md has why.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildProgram } from './build-program.mjs';
import { buildTests } from './build-tests.mjs';
import { chooseTests } from './choose-tests.mjs';
import { runBaseline } from './mutate/baseline.mjs';
import { allMutants, sampleOf, sliceOf, survivorsOf } from './mutate/choose-mutants.mjs';
import { withMutants } from './mutate/mutants.mjs';
import { formatResults } from './mutate/report.mjs';
import { tryMutant } from './mutate/try-mutant.mjs';
import { typesReject } from './mutate/types-reject.mjs';
import { copyTree, createTree } from './proof/tree.mjs';

const { values, positionals } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    slice: { type: 'string' },
    again: { type: 'string' },
    minutes: { type: 'string', default: '20' },
    workers: { type: 'string' },
    tests: { type: 'string', multiple: true, default: [] },
    without: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});
const begins = Date.now();
const root = fileURLToPath(new URL('..', import.meta.url));
const recorder = 'scripts/mutate/recorder.cjs';
const all = await allMutants(root, positionals);
const sample =
  values.again !== undefined
    ? survivorsOf(all, (await readFile(values.again, 'utf8')).trim().split('\n').map(JSON.parse))
    : values.sample === undefined
      ? all
      : sampleOf(all, Number(values.sample), Number(values.seed));
const slice = values.slice === undefined ? sample : sliceOf(sample, values.slice);
if (slice.length === 0) {
  process.stderr.write('There is nothing to change\n');
  process.exit(2);
}
process.stderr.write(
  `${all.length} changes are possible; ${sample.length} are chosen, ${slice.length} in this slice\n`,
);

const results = `${root}build/mutation`;
await mkdir(results, { recursive: true });
/** The same changes to the same files are measured once. */
const version = createHash('sha256');
for (const folder of ['src', 'test', 'scripts']) {
  for (const { parentPath, name, isFile } of await entriesOf(folder)) {
    if (isFile) version.update(name).update(await readFile(`${parentPath}/${name}`));
  }
}
version.update(JSON.stringify([sample.map(({ id }) => id), values.tests, values.without]));
const measured = `${results}/baseline-${version.digest('hex').slice(0, 16)}.json`;

const name = `mutation-${process.pid}`;
try {
  const tree = await createTree(root, `${name}-1`, recorder);
  const plugins = [mutantsPlugin(tree)];
  const tests = chooseTests(await readdir(`${root}test`, { recursive: true }), values.tests);
  const chosen = tests.chosen.filter((file) => !values.without.some((part) => `test/${file}`.includes(part)));
  await mkdir(`${tree}build`, { recursive: true });
  await writeFile(`${tree}build/mutant`, '-1');
  await buildProgram(tree, { plugins, isCompiled: false });
  const built = await buildTests(tree, chosen, 'build/test', { plugins });
  const trees = [tree];
  const workers = Number(values.workers ?? availableParallelism());
  for (let number = 2; number <= workers; number++) {
    trees.push(await copyTree(tree, root, `${name}-${number}`));
  }

  const files = chosen.map((file, at) => ({ file, built: built[at] }));
  const baseline = await readFile(measured, 'utf8').then(JSON.parse, async () => {
    const ran = await runBaseline({ trees, recorder, tests: files });
    await writeFile(measured, JSON.stringify(ran));
    return ran;
  });
  for (const { file, failed } of baseline.filter(({ outcome }) => outcome !== 'passed')) {
    process.stderr.write(`Without a change, ${file} fails (${failed.join(', ')}): it is left out\n`);
  }

  const log = `${results}/results-${new Date().toISOString().replaceAll(':', '')}.ndjson`;
  const waiting = [...slice];
  const tried = [];
  const limitMs = Number(values.minutes) * 60_000;
  await Promise.all(
    trees.map(async (own) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (limitMs > 0 && Date.now() - begins > limitMs) {
          waiting.unshift(next);
          return;
        }
        const result = await tryMutant({ mutant: next, tree: own, recorder, baseline });
        if (result.outcome === 'survived' && (await typesReject(tree, root, next)))
          result.outcome = 'rejected-by-types';
        tried.push({ ...next, ...result });
        await appendFile(log, `${JSON.stringify(tried.at(-1))}\n`);
        process.stderr.write(
          `${tried.length}/${slice.length} ${result.outcome} ${next.file}:${next.line} ${next.original.slice(0, 60).replaceAll('\n', ' ')} -> ${next.replacement.slice(0, 60).replaceAll('\n', ' ')} (${result.by ?? `${result.ran} files`})\n`,
        );
      }
    }),
  );
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout.trim();
  process.stdout.write(
    formatResults(tried, {
      commit,
      seed: values.seed,
      notTried: waiting.length,
      all: all.length,
      leftOut: tests.chosen.length - chosen.length,
    }),
  );
  process.stderr.write(`Each result is in ${log}\n`);
} finally {
  for (const folder of await readdir(`${root}build`)) {
    if (folder.startsWith(`${name}-`)) await rm(`${root}build/${folder}`, { recursive: true, force: true });
  }
}

async function entriesOf(folder) {
  const entries = await readdir(`${root}${folder}`, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => ({ parentPath: entry.parentPath, name: entry.name, isFile: entry.isFile() }))
    .sort((a, b) => (`${a.parentPath}/${a.name}` < `${b.parentPath}/${b.name}` ? -1 : 1));
}

/** Builds the files that are changed from their text with the changes in it. */
function mutantsPlugin(tree) {
  const byFile = grouped(sample);
  return {
    name: 'mutants',
    setup(builder) {
      builder.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const mutants = byFile.get(path.slice(tree.length));
        if (mutants === undefined) return undefined;
        return { contents: withMutants(await readFile(path, 'utf8'), mutants), loader: 'ts' };
      });
    },
  };
}

function grouped(mutants) {
  const byFile = new Map();
  for (const mutant of mutants) byFile.set(mutant.file, [...(byFile.get(mutant.file) ?? []), mutant]);
  return byFile;
}
