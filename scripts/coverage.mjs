// npm run coverage: which branches of src/ the tests run, counted by V8 itself in every process: the tests, the program
// that they start, its children, and what runs on pseudo-terminals. Prints a table by folder, and every file below its
// limit with the branches that nothing runs; exits with 1 where a target is missed, or a test failed. Words choose test
// files, as for `npm test`: then the figures are those of these alone. docs/decisions/coverage.md says why it is our own.

import { readdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildProgram } from './build-program.mjs';
import { buildTests } from './build-tests.mjs';
import { chooseTests } from './choose-tests.mjs';
import { formatReport } from './coverage/report.mjs';
import { createTotals } from './coverage/totals.mjs';
import { runTestFile } from './proof/run-test-file.mjs';
import { copyTree, createTree } from './proof/tree.mjs';

const { values, positionals } = parseArgs({
  options: { show: { type: 'string' }, workers: { type: 'string' } },
  allowPositionals: true,
});
const root = fileURLToPath(new URL('..', import.meta.url));
const recorder = 'scripts/coverage/recorder.cjs';
const { chosen } = chooseTests(await readdir(`${root}test`, { recursive: true }), positionals);
if (chosen.length === 0) {
  process.stderr.write(`No test file matches ${positionals.join(' ')}\n`);
  process.exit(2);
}

const name = `coverage-${process.pid}`;
try {
  const tree = await createTree(root, `${name}-1`, recorder);
  await buildProgram(tree, { sourcemap: 'external', isCompiled: false });
  const built = await buildTests(tree, chosen, 'build/test');
  const totals = await createTotals(tree);
  const trees = [tree];
  const workers = Number(values.workers ?? availableParallelism());
  for (let number = 2; number <= workers; number++) {
    trees.push(await copyTree(tree, root, `${name}-${number}`));
  }

  const waiting = chosen.map((file, at) => ({ file, built: built[at] }));
  const failures = [];
  let done = 0;
  await Promise.all(
    trees.map(async (own) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const ran = await runTestFile({ tree: own, recorder, built: next.built }, { limitMs: 15 * 60_000 });
        await totals.add(own);
        done++;
        if (ran.outcome !== 'passed') failures.push(`${next.file}: ${ran.outcome}: ${ran.failed.join(', ')}`);
        process.stderr.write(
          `${done}/${chosen.length} ${next.file} ${(ran.milliseconds / 1000).toFixed(1)} s ${ran.outcome}\n`,
        );
      }
    }),
  );
  const { text, isMet } = await formatReport(totals, { tree, show: values.show });
  process.stdout.write(text);
  if (failures.length > 0)
    process.stdout.write(`\nFailed while it was measured:\n  ${failures.join('\n  ')}\n`);
  process.exitCode = isMet && failures.length === 0 ? 0 : 1;
} finally {
  for (const folder of await readdir(`${root}build`)) {
    if (folder.startsWith(`${name}-`)) await rm(`${root}build/${folder}`, { recursive: true, force: true });
  }
}
