// The lines and the screen of a picker: at every width one line for each row, none wider than the terminal, no two alike
// while there is room to tell them apart, and never higher than the terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterRows, toRows } from '#terminal/picker/entry.ts';
import { createLayout } from '#terminal/picker/layout.ts';
import { testLayout } from './layout-properties.ts';

testLayout(10);

test('a filter finds every word anywhere, ignoring case', () => {
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

test('replaces control characters in a title', () => {
  const [row] = toRows([{ title: 'a\x1b[2Jb\u202ec', details: ['\x07'], value: 1 }]);
  assert.deepEqual([row?.title, row?.details], ['a�[2Jb�c', ['�']]);
});

test('each line shows the distinguishing detail before more of the title or the id', () => {
  const long = `https://hooks.example.com/${'v/'.repeat(20)}`;
  const rows = toRows([
    ...['Active', 'already Suspended'].map((status, index) => ({
      title: 'https://hooks.example.com/billing-production',
      details: [`IEAAAAAQWabcdefg${index}`, 'label', status, 'account or space'],
      needed: 2,
      value: index,
    })),
    { title: long, details: ['IEAAAAAQWabcdefg2', '', 'Active', ''], needed: 2, value: 2 },
  ]);
  const linesAt = (width: number, shown: readonly number[]) => {
    const { line } = createLayout(rows, shown, width);
    return shown.map(line);
  };
  // Of one URL, and so with the id.
  assert.deepEqual(linesAt(74, [0, 1]), [
    'hooks.example.com/billing-production  IEAAAAAQWabcdefg0  Active',
    'hooks.example.com/billing-production  IEAAAAAQWabcdefg1  already Suspended',
  ]);
  assert.deepEqual(linesAt(40, [0, 1]), [
    'hooks…    …QWabcdefg0  Active',
    'hooks…    …QWabcdefg1  already Suspended',
  ]);
  // No room for both: the ids tell them apart.
  assert.deepEqual(linesAt(30, [0, 1]), ['hooks…    IEAAAAAQWabcdefg0', 'hooks…    IEAAAAAQWabcdefg1']);
  // Of different URLs, and so without it.
  for (const [index, line] of linesAt(74, [1, 2]).entries())
    assert.match(line, [/ing-production +already Suspended$/, /v\/ +Active$/][index] ?? /^$/);
});

test('lays out more rows than fit on the stack', () => {
  const all = Array.from({ length: 150_000 }, (_, at) => ({
    title: `row ${at}`,
    details: [`${at}`],
    value: at,
  }));
  const { line } = createLayout(toRows(all), [149_999], 80);
  assert.match(line(149_999), /^row 149999 +149999$/);
});
