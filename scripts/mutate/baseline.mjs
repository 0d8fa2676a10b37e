// Runs every test file once without a change: which pass, how long each takes, and which mutants each comes to.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { runTestFile } from '../proof/run-test-file.mjs';

export async function runBaseline({ trees, recorder, tests }) {
  const waiting = [...tests];
  const ran = [];
  await Promise.all(
    trees.map(async (tree) => {
      await writeFile(`${tree}build/mutant`, 'hits');
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await rm(`${tree}build/hits`, { force: true });
        const result = await runTestFile({ tree, recorder, built: next.built }, { limitMs: 15 * 60_000 });
        const text = await readFile(`${tree}build/hits`, 'utf8').catch(() => '');
        const hits = [...new Set(text.split('\n').filter(Boolean).map(Number))];
        ran.push({ ...next, ...result, hits });
        process.stderr.write(
          `unchanged: ${ran.length}/${tests.length} ${next.file} ${(result.milliseconds / 1000).toFixed(1)} s ${result.outcome}\n`,
        );
      }
    }),
  );
  return ran;
}
