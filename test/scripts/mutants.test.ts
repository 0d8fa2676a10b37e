// Whether mutation tests what it says: with one mutant switched on, the build with all of them in it does what the source
// with that one change does; with none, what the source does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { sampleOf, sliceOf, survivorsOf } from '../../scripts/mutate/choose-mutants.mjs';
import { listMutants, withMutants } from '../../scripts/mutate/mutants.mjs';

/** A change may let the loop run on: then its ticks end it. */
const source = `
let ticks = 0;
function tick() { if (ticks++ > 500) throw new Error('endless'); }
function look(a: number, b?: { c?: { d(): string[] } }) {
  const found: unknown[] = [];
  if (a > 1 && !(a === 3 || a % 2 === 0)) found.push(a - 1);
  else if (a < 0) found.push('below');
  for (let at = 0; at < a; at++) {
    tick();
    if (at === 2) continue;
    found.push(at, b?.c?.d().length ?? -1);
  }
  let sum = 10;
  sum -= a;
  if (a) if (sum > 5) found.push('nested'); else found.push('dangling');
  try {
    if (a > 6) throw new Error('large');
    found.push(Math.min(a, 2), ' x '.trim(), [1, 2, 3].filter((one) => one > a).map(String));
  } catch { found.push(true); }
  return { 1: found, sum: sum as 1 | 2 };
}
const results: unknown[] = [];
for (const a of [-1, 0, 1, 2, 3, 5, 7]) {
  for (const b of [undefined, {}, { c: { d: () => ['x'] } }]) {
    try { results.push(look(a, b)); } catch (error) { results.push(error instanceof TypeError ? 'type' : 'error'); }
  }
}
globalThis.result = JSON.stringify(results);
`;

function resultOf(text: string, active = -1): unknown {
  const { code } = transformSync(text, { loader: 'ts' });
  const context: { result?: unknown; wmMutant(id: number): boolean } = { wmMutant: (id) => id === active };
  runInNewContext(code, context);
  return context.result;
}

const mutants = listMutants(source).map((mutant, id) => ({ ...mutant, id }));
const all = withMutants(source, mutants);

test('without a mutant on, the build does what the source does', () => {
  assert.ok(mutants.length > 60, String(mutants.length));
  const unchanged = resultOf(source);
  assert.match(String(unchanged), /^\[.*nested.*\]$/);
  assert.equal(resultOf(all), unchanged);
  // Most changes can be seen at all.
  assert.ok(mutants.filter(({ id }) => resultOf(all, id) !== unchanged).length > 50);
});

for (const mutant of mutants) {
  const { id, start, end, line, replacement } = mutant;
  test(`mutant ${id}, line ${line}: ${source.slice(start, end)} -> ${replacement}`, {
    timeout: 10_000,
  }, () => {
    assert.equal(resultOf(all, id), resultOf(source.slice(0, start) + replacement + source.slice(end)));
  });
}

test('every part of a sample that a seed chose is tried once', () => {
  const items = Array.from({ length: 1000 }, (_, at) => at);
  const sample = sampleOf(items, 100, 7);
  assert.equal(new Set(sample).size, 100);
  assert.deepEqual(sampleOf(items, 100, 7), sample);
  assert.notDeepEqual(sampleOf(items, 100, 8), sample);
  const slices = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => sliceOf(sample, `${number}/8`));
  assert.deepEqual(
    slices.flat().toSorted((a, b) => a - b),
    sample.toSorted((a, b) => a - b),
  );
  assert.throws(() => sliceOf(sample, '9/8'), /expected N\/M/);
  assert.throws(() => sliceOf(sample, '0/8'), /expected N\/M/);
});

test('what survived is found again, below lines that were added; what was killed is not', () => {
  const now = [
    { file: 'a.ts', line: 8, original: '1', replacement: '2' },
    { file: 'a.ts', line: 13, original: '1', replacement: '2' },
    { file: 'a.ts', line: 13, original: '1', replacement: '0' },
    { file: 'b.ts', line: 3, original: '1', replacement: '2' },
  ];
  const before = [
    { outcome: 'survived', file: 'a.ts', line: 10, original: '1', replacement: '2' },
    { outcome: 'not-run', file: 'a.ts', line: 5, original: '1', replacement: '2' },
    { outcome: 'killed', file: 'a.ts', line: 10, original: '1', replacement: '0' },
    { outcome: 'survived', file: 'b.ts', line: 3, original: 'gone', replacement: '2' },
  ];
  assert.deepEqual(
    survivorsOf(now, before).map(({ file, line }) => `${file}:${line}`),
    ['a.ts:8', 'a.ts:13'],
  );
});
