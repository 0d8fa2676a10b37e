// Whatever is typed at a picker, in whatever pieces it arrives: only rows that were on the screen are picked or marked, and
// once the filter has changed only the one that was highlighted there; or the only one that a filter leaves.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseKeystrokes } from '#terminal/keystrokes.ts';
import { filterRows, toRows } from '#terminal/picker/entry.ts';
import { handleKey, handlePaste, initialQuery, initialState, type Key } from '#terminal/picker/keys.ts';
import { createPage, parseChoice } from '#terminal/picker/numbered-list.ts';
import { testPicking } from './keys-properties.ts';

testPicking(100);

const rows = toRows(
  Array.from({ length: 30 }, (_, at) => ({ title: `https://hooks.example.com/team${at + 1}`, value: at })),
);
const named = (name: string): Key => ({ name, sequence: '\x1b[' });
const ctrl = (name: string): Key => ({ name, ctrl: true, sequence: '\x01' });

test('a key without a function changes nothing, and is reported so that it can beep', () => {
  const view = { rows, multiple: false, pageSize: 10, lastScreen: { highlighted: 0, shown: [0, 1, 2] } };
  for (const key of [
    named('left'),
    named('right'),
    named('f5'),
    named('up'),
    named('backspace'),
    named('tab'),
    ctrl('a'),
    { name: 'x', meta: true, sequence: '\x1bx' },
  ])
    assert.equal(handleKey(initialState(''), key, view), undefined, JSON.stringify(key));
  const none = initialState('nobody');
  assert.equal(
    handleKey(none, named('return'), { ...view, lastScreen: { highlighted: undefined, shown: [] } }),
    undefined,
  );
});

test('a paste filters, whatever line breaks it contains', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[\t\r\n ]{0,3}https:\/\/hooks\.example\.com\/team7[\r\n]{0,2}$/),
      (text) => {
        const step = handlePaste(initialState(''), text);
        assert.ok(step && 'state' in step);
        assert.deepEqual(filterRows(rows, step.state.query), [6]);
      },
    ),
  );
  assert.equal(handlePaste(initialState(''), '\x1b[31m'), undefined);
});

test('the first line typed before the list appears is the filter, without control characters', () => {
  for (const [keys, text] of [
    ['team1', 'team1'],
    ['team1\rteam2\r', 'team1'],
    ['\r', ''],
    ['teem\x7f\x7fam3', 'team3'],
    ['\x1b[B\x1bOAab\x15team4', 'team4'],
    ['\x1b[200~team\r\n5\r\n\x1b[201~', 'team 5'],
  ] as const)
    assert.equal(initialQuery(parseKeystrokes(keys).keystrokes), text);
});

test('a number picks only a row on the current page', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('', 'team1', 'team2', 'nobody'),
      fc.integer({ min: 0, max: 40 }),
      fc.boolean(),
      (query, number, several) => {
        const state = createPage(rows, query, 0);
        const read = parseChoice(rows, state, String(number), several);
        if (state.shown.includes(number - 1)) assert.deepEqual(read, { picked: [number - 1] });
        else assert.ok('error' in read);
      },
    ),
    { numRuns: 500 },
  );
  const all = createPage(rows, '', 0);
  assert.deepEqual(parseChoice(rows, all, '3, 5-7 3', true), { picked: [2, 4, 5, 6] });
  assert.deepEqual(parseChoice(rows, all, '3 5', false), { error: 'Type one number only' });
  assert.ok('error' in parseChoice(rows, all, '19-21', true));
});

test('beeps at a whole file pasted as a filter; cuts a long text typed ahead', () => {
  const long = 'x'.repeat(1_000_000);
  assert.equal(handlePaste(initialState(''), long), undefined);
  assert.equal(
    handleKey(
      initialState(''),
      { sequence: long },
      { rows, multiple: false, pageSize: 10, lastScreen: { highlighted: 0, shown: [] } },
    ),
    undefined,
  );
  assert.equal(initialQuery(parseKeystrokes(long).keystrokes).length, 1000);
});
