// Tries one mutant: runs the test files that come to it until one fails.

import { writeFile } from 'node:fs/promises';
import { runTestFile } from '../proof/run-test-file.mjs';

/** A test file of the same folder is likeliest to notice; then the fastest, which cost least if they do not. */
function inOrder(files, mutant) {
  const folders = mutant.file.split('/').slice(1, -1);
  const name = mutant.file.split('/').at(-1).replace(/\.ts$/, '');
  const nearness = ({ file }) => {
    const parts = file.split('/');
    const shared = folders.filter((folder, at) => parts[at] === folder).length;
    return shared + (parts.at(-1).startsWith(name) ? 1 : 0);
  };
  return files.toSorted((a, b) => {
    const faster = a.milliseconds - b.milliseconds;
    // A slow file goes last, however near it is.
    const slow = Number(a.milliseconds > 20_000) - Number(b.milliseconds > 20_000);
    return slow || nearness(b) - nearness(a) || faster;
  });
}

/** `survived`, `killed` or `timed-out` with the file and the test by which, or `not-run` where no test comes to it. */
export async function tryMutant({ mutant, tree, recorder, baseline }) {
  const files = baseline.filter(({ outcome, hits }) => outcome === 'passed' && hits.includes(mutant.id));
  if (files.length === 0) return { outcome: 'not-run', ran: 0 };
  await writeFile(`${tree}build/mutant`, String(mutant.id));
  let ran = 0;
  for (const { file, built, milliseconds } of inOrder(files, mutant)) {
    ran++;
    // Other work on the machine may slow it down several times.
    const limitMs = 20_000 + 5 * milliseconds;
    const { outcome, failed } = await runTestFile(
      { tree, recorder, built },
      { limitMs, stopAtFailure: true },
    );
    if (outcome === 'timed-out') return { outcome, by: file, ran };
    if (outcome === 'failed') return { outcome: 'killed', by: `${file}: ${failed[0]}`, ran };
  }
  return { outcome: 'survived', ran };
}
