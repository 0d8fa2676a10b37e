// Whether the coverage run counts right: a small program, V8's own counts of one run of it, and what a reader says was taken.

import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { listBranches } from '../../scripts/coverage/branches.mjs';
import { countsOf } from '../../scripts/coverage/counts.mjs';

const source = `
function early(x: number) {
  if (x > 1) return 'big';
  return x > 0 ? 'small' : 'none';
}
function never(x: number) {
  return x > 0 || x < -1;
}
function word(x?: string) {
  const one = x ?? 'default';
  switch (one) {
    case 'a':
    case 'b':
      return one === 'a' && early(5) === 'big' && 'A';
    default:
      return undefined;
  }
}
async function waits(x: number) {
  for (const one of [1, 2]) {
    if (one > x) { continue; }
    await undefined;
    if (x === 7) throw new Error('seven');
    else await null;
  }
}
early(0);
early(0);
word('a');
word('b');
waits(7).catch(() => {}).then(() => waits(1));
`;

/** By the line in \`source\`: how often each branch was taken, in the order of the text. */
const expected: Readonly<Record<number, readonly (readonly [string, number])[]>> = {
  3: [
    ['if', 1],
    ['else', 2],
  ],
  4: [
    ['? :, the first', 0],
    ['? :, the second', 2],
  ],
  7: [
    ['left of ||', 0],
    ['right of ||', 0],
  ],
  10: [
    ['left of ??', 2],
    ['right of ??', 0],
  ],
  11: [
    ['case 1', 1],
    ['case 2', 2],
    ['default', 0],
  ],
  14: [
    ['right of &&', 1],
    ['left of &&', 2],
    ['right of &&', 1],
  ],
  21: [
    ['if', 1],
    ['else', 2],
  ],
  23: [
    ['if', 1],
    ['else', 1],
  ],
};

test('branches are counted as a reader counts them', async () => {
  const { code, map } = transformSync(source, {
    loader: 'ts',
    sourcemap: 'external',
    sourcefile: 'src/sample.ts',
  });
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await runInThisContext(code, { filename: '/sample-of-coverage.js' });
  const ranges = await new Promise<[number, number, number][]>((done, fail) => {
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) return fail(error);
      const functions = result.find(({ url }) => url === 'file:///sample-of-coverage.js')?.functions ?? [];
      done(
        functions.flatMap((one) =>
          one.ranges.map(({ startOffset, endOffset, count }): [number, number, number] => [
            startOffset,
            endOffset,
            count,
          ]),
        ),
      );
    });
  });
  session.disconnect();
  const countAt = countsOf(ranges);
  const found: Record<number, [string, number][]> = {};
  for (const { line, what, at, minus } of listBranches(code, JSON.parse(map), false)) {
    const times = minus.reduce((sum, place) => sum - countAt(place), countAt(at));
    found[line] = [...(found[line] ?? []), [what, times]];
  }
  assert.deepEqual(found, expected);
});

test('every branch has a key of its own', () => {
  const twice = 'export const f = (a, b) => (a || b) || (a && b) || (a && b);\n';
  const { code, map } = transformSync(twice, { sourcemap: 'external', sourcefile: 'src/sample.ts' });
  const keys = listBranches(code, JSON.parse(map), true).map(({ key }) => key);
  assert.equal(keys.length, 6);
  assert.equal(new Set(keys).size, 6);
});
