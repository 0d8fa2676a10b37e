// Whether the coverage run counts right: a small program, V8's own counts of one run of it, and what a reader says was run.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { createLines } from '../../scripts/coverage/lines.mjs';
import { ownFolder } from '../own-folder.ts';

const source = `
function early(x: number) {
  if (x > 1) return 'big';
  return x > 0 ? 'small' : 'none';
}
function never(x: number) {
  return x > 0 || x < -1;
}
function word(x?: string) {
  const one = x ?? early(7);
  switch (one) {
    case 'a':
      return one === 'a' && early(0);
    default:
      return undefined;
  }
}
word('a');
`;

/** The line in `source`; those left out have nothing that runs. */
const expected = {
  2: 'whole',
  3: 'partly',
  4: 'partly',
  6: 'not',
  7: 'not',
  9: 'whole',
  10: 'partly',
  11: 'whole',
  12: 'whole',
  13: 'whole',
  14: 'not',
  15: 'not',
  18: 'whole',
};

test('lines count as run as a reader counts them', async (t) => {
  const path = join(await ownFolder(t), 'sample.js');
  const { code } = transformSync(source, { loader: 'ts', sourcemap: 'inline', sourcefile: 'src/sample.ts' });
  await writeFile(path, code);
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const filename = pathToFileURL(path).href;
  runInThisContext(code, { filename });
  const ranges = await new Promise<[number, number, number][]>((done, fail) => {
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) return fail(error);
      const functions = result.find(({ url }) => url === filename)?.functions ?? [];
      done(
        functions
          .flatMap((one) => one.ranges)
          .map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count]),
      );
    });
  });
  session.disconnect();
  const lines = createLines();
  await lines.add(path, ranges);
  assert.deepEqual(Object.fromEntries((await lines.count()).get('src/sample.ts') ?? []), expected);
});
