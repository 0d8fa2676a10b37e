// Whether the coverage run counts right: a small program, V8's own counts of one run of it, and what a reader says was run.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { createLines } from '../../scripts/coverage/lines.mjs';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

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

test('counts lines as run the way a reader would', async (t) => {
  const folder = await ownFolder(t);
  const path = join(folder, 'sample.js');
  const counts = join(folder, 'counts');
  const { code } = transformSync(source, { loader: 'ts', sourcemap: 'inline', sourcefile: 'src/sample.ts' });
  await writeFile(path, code);
  // V8 counts for a whole process, and a coverage run counts in this one.
  spawnSync(process.execPath, [path], { env: { ...process.env, NODE_V8_COVERAGE: counts } });
  const [name = ''] = await readdir(counts);
  const { result } = JSON.parse(await readFile(join(counts, name), 'utf8'));
  const functions: readonly { ranges: readonly Range[] }[] = result.find(
    ({ url }: { readonly url: string }) => url === pathToFileURL(path).href,
  ).functions;
  const lines = createLines();
  await lines.add(
    path,
    functions.flatMap(({ ranges }) =>
      ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count]),
    ),
  );
  assert.deepEqual(Object.fromEntries((await lines.count()).get('src/sample.ts') ?? []), expected);
});
