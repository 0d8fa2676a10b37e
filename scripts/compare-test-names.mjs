// node scripts/compare-test-names.mjs BEFORE AFTER...: which tests are gone and which are new, in any file. `npm test --
// --names=FILE` writes these files of names. Several after the first count as one.

import { readFileSync } from 'node:fs';

const [before, ...after] = process.argv.slice(2).map((file) => readFileSync(file, 'utf8').trim().split('\n'));
/** Names that occur more often in `one` than in `other`, with the difference. */
function surplus(one, other) {
  const counts = new Map();
  for (const name of one) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of other) counts.set(name, (counts.get(name) ?? 0) - 1);
  return [...counts].filter(([, count]) => count > 0).toSorted();
}

const gone = surplus(before, after.flat());
for (const [name, count] of gone) process.stdout.write(`gone ${count}: ${JSON.parse(name)}\n`);
for (const [name, count] of surplus(after.flat(), before))
  process.stdout.write(`new  ${count}: ${JSON.parse(name)}\n`);
process.exitCode = gone.length > 0 ? 1 : 0;
