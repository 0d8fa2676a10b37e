// What is true of a picker, whatever is typed at it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { filterRows, toRows } from '#terminal/picker/entry.ts';
import {
  handleKey,
  highlightedRow,
  initialState,
  type Key,
  type VisibleRows,
} from '#terminal/picker/keys.ts';
import { drawFrame } from '#terminal/picker/screen.ts';

const rows = toRows(
  Array.from({ length: 30 }, (_, at) => ({ title: `https://hooks.example.com/team${at + 1}`, value: at })),
);
const size = { columns: 80, rows: 14 };
const looks = { highlight: (text: string) => text, faint: (text: string) => text };
const named = (name: string): Key => ({ name, sequence: '\x1b[' });
const ctrl = (name: string): Key => ({ name, ctrl: true, sequence: '\x01' });
const key: fc.Arbitrary<Key> = fc.oneof(
  fc.constantFrom(
    ...['up', 'down', 'pageup', 'pagedown', 'home', 'end', 'tab', 'return', 'backspace', 'escape'].map(named),
  ),
  fc.constantFrom(ctrl('u'), ctrl('w'), ctrl('n'), ctrl('p'), ctrl('a')),
  fc.constantFrom(...'team0123 '.split('').map((sequence): Key => ({ name: sequence, sequence }))),
);

export function testPicking(numRuns: number) {
  test('picks and marks only rows that were on the screen', () => {
    let picks = 0;
    fc.assert(
      // Each piece arrives at once: the screen shows nothing of it before its end.
      fc.property(
        fc.array(fc.array(key, { minLength: 1, maxLength: 4 }), { maxLength: 40 }),
        fc.boolean(),
        (pieces, multiple) => {
          let state = initialState('');
          const marked = new Set<number>();
          for (const piece of pieces) {
            const onScreen = drawFrame({ message: '?', rows, multiple }, state, size, looks).shown;
            let lastScreen: VisibleRows = { highlighted: highlightedRow(rows, state), shown: onScreen };
            for (const key of piece) {
              const before = state;
              const step = handleKey(state, key, { rows, multiple, pageSize: 10, lastScreen });
              if (step === undefined) continue;
              if ('leaves' in step) {
                assert.deepEqual([key.name, before.query], ['escape', '']);
                return;
              }
              const matches = filterRows(rows, before.query);
              const aim = highlightedRow(rows, before);
              const isCertain =
                matches.length === 1 ||
                aim === lastScreen.highlighted ||
                (aim !== undefined && lastScreen.shown.includes(aim));
              const certain = isCertain ? aim : undefined;
              if (matches.length > 1 && aim !== undefined && isCertain) assert.ok(onScreen.includes(aim));
              if ('state' in step && step.state.query !== before.query)
                lastScreen = { ...lastScreen, shown: [] };
              if ('picked' in step) {
                picks++;
                assert.ok(matches.length > 0);
                if (marked.size > 0) assert.deepEqual(new Set(step.picked), marked);
                else assert.deepEqual(step.picked, [certain]);
                return;
              }
              state = step.state;
              assert.notDeepEqual(state, before);
              for (const index of state.marked) if (!marked.has(index)) assert.equal(index, certain);
              marked.clear();
              for (const index of state.marked) marked.add(index);
              assert.ok(multiple || marked.size === 0);
              assert.ok(
                state.cursor >= 0 && state.cursor < Math.max(1, filterRows(rows, state.query).length),
              );
            }
          }
        },
      ),
      { numRuns },
    );
    assert.ok(picks > numRuns / 10, `only ${picks} picks`);
  });
}
