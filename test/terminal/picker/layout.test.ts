// The lines and the screen of a picker: at every width one line for each row, none wider than the terminal, no two alike
// while there is room to tell them apart, and never higher than the terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterRows, toRows } from '#terminal/picker/entry.ts';
import { createLayout } from '#terminal/picker/layout.ts';
import { testLayout } from './layout-properties.ts';

testLayout(10);

test('a filter finds every word anywhere, whatever its case', () => {
  const rows = toRows([
    {
      title: 'https://hooks.example.com/billing',
      details: ['IEAAAAAQJAAAAAAB', 'Active'],
      search: ['Nightly import'],
      value: 1,
    },
    { title: 'https://hooks.example.com/Équipe', details: ['IEAAAAAQJAAAAAAC', 'Suspended'], value: 2 },
  ]);
  for (const [query, found] of [
    ['', [0, 1]],
    ['BILL', [0]],
    ['aaab', [0]],
    ['suspended', [1]],
    ['  active   hooks ', [0]],
    ['nightly', [0]],
    ['e\u0301quipe', [1]],
    ['billing suspended', []],
  ] as const)
    assert.deepEqual(filterRows(rows, query), found, query);
});

test('a title that would steer the terminal does not', () => {
  const [row] = toRows([{ title: 'a\x1b[2Jb\u202ec', details: ['\x07'], value: 1 }]);
  assert.deepEqual([row?.title, row?.details], ['a�[2Jb�c', ['�']]);
});

test('more rows than the stack has room for', () => {
  const all = Array.from({ length: 150_000 }, (_, at) => ({
    title: `row ${at}`,
    details: [`${at}`],
    value: at,
  }));
  const { line } = createLayout(toRows(all), [149_999], 80);
  assert.match(line(149_999), /^row 149999 +149999$/);
});
