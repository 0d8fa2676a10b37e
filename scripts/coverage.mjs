// npm run coverage: which lines of src/ the tests run, in all processes. Arguments choose test files; `--show PART` lists more files.
// Exits with 1 for a missed target or a failed test. docs/decisions/coverage.md has the reasons.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildProgram } from './build-program.mjs';
import { buildTests, testEnvironment } from './build-tests.mjs';
import { chooseTests } from './choose-tests.mjs';
import { withCopy } from './copy-of-clone.mjs';
import { createLines } from './coverage/lines.mjs';
import { runFiles } from './testing/run-files.mjs';

/** The share of lines in these folders that must run whole. */
const folders = 'account app bulk cli client contract emulator login tasks tools webhooks workspace'.split(
  ' ',
);
const target = { folder: 0.95, file: 0.85 };

const { values, positionals } = parseArgs({
  options: { show: { type: 'string' } },
  allowPositionals: true,
});
const root = fileURLToPath(new URL('..', import.meta.url));
// One file tests V8's compiled code, which a build for coverage does not have.
const chosen = chooseTests(await readdir(`${root}test`, { recursive: true }), positionals).chosen.filter(
  (file) => file !== 'start-up.deep.test.ts',
);
if (chosen.length === 0) {
  process.stderr.write(`No test file matches ${positionals.join(' ')}\n`);
  process.exit(2);
}

const failures = [];
const lines = await withCopy(root, 'coverage', measure);
const share = (states) => states.filter((state) => state === 'whole').length / states.length;
const percent = (part) => `${(100 * part).toFixed(1)} %`.padStart(8);
let isMet = failures.length === 0;

const byFolder = {};
for (const [file, own] of lines) {
  const name = file.split('/')[1];
  byFolder[name] = [...(byFolder[name] ?? []), ...own.values()];
}
const unknown = folders.filter((name) => byFolder[name] === undefined);
if (unknown.length > 0) isMet = false;
process.stdout.write(unknown.map((name) => `\nsrc/${name} does not exist: correct the targets\n`).join(''));
process.stdout.write('\n                      lines   run whole\n');
for (const [name, states] of Object.entries(byFolder)) {
  const isMissed = folders.includes(name) && share(states) < target.folder;
  if (isMissed) isMet = false;
  process.stdout.write(
    `src/${name.padEnd(18)}${String(states.length).padStart(5)}${percent(share(states))}${isMissed ? `  below ${percent(target.folder)}` : ''}\n`,
  );
}
for (const [file, own] of lines) {
  const isLow = folders.includes(file.split('/')[1]) && share([...own.values()]) < target.file;
  if (isLow) isMet = false;
  if (!isLow && !(values.show && file.includes(values.show))) continue;
  process.stdout.write(`\n${file}: ${percent(share([...own.values()])).trim()}\n`);
  const text = (await readFile(`${root}${file}`, 'utf8')).split('\n');
  for (const [line, state] of [...own].toSorted(([a], [b]) => a - b)) {
    if (state !== 'whole') process.stdout.write(`  ${line}: ${state}: ${text[line - 1]?.trim()}\n`);
  }
}
for (const failure of failures) process.stdout.write(`\nFailed while it was measured: ${failure}\n`);
process.exitCode = isMet ? 0 : 1;

async function measure(copy) {
  const recorder = `${copy}scripts/coverage/recorder.cjs`;
  const [hashbang, ...rest] = (await readFile(`${copy}bin/wm.js`, 'utf8')).split('\n');
  const loaded = [hashbang, `require(${JSON.stringify(recorder)});`, ...rest].join('\n');
  await writeFile(`${copy}bin/wm.js`, loaded);
  await buildProgram(copy, { sourcemap: 'external' });
  const built = await buildTests(copy, chosen, 'build/test');
  const folder = await mkdtemp(join(tmpdir(), 'wm-t-'));
  process.chdir(copy);
  await runFiles(built, {
    folder,
    environment: testEnvironment(),
    processes: availableParallelism() + 1,
    limitMs: 15 * 60_000,
    flags: ['--require', recorder],
    on(event) {
      if (event.failure !== undefined) failures.push(`${event.file} > ${event.name}: ${event.failure}`);
      if (event.kind === 'file') process.stderr.write(`${event.file} ${(event.ms / 1000).toFixed(1)} s\n`);
    },
  });
  process.chdir(root);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const found = createLines();
  // All lines of the program count, even in files that no process loaded.
  for (const file of await readdir(`${copy}dist`))
    if (file.endsWith('.cjs')) await found.add(`${copy}dist/${file}`, []);
  for (const name of await readdir(`${copy}build/counts`)) {
    if (!name.endsWith('.json')) continue;
    for (const { path, ranges } of JSON.parse(await readFile(`${copy}build/counts/${name}`, 'utf8')))
      await found.add(path, ranges);
  }
  return [...(await found.count())].toSorted();
}
