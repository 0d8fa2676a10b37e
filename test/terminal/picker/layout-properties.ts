// What is true of the lines and the screen of a picker, whatever is on them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { filterRows, toRows } from '#terminal/picker/entry.ts';
import { createLayout } from '#terminal/picker/layout.ts';
import { drawFrame } from '#terminal/picker/screen.ts';
import { displayWidth } from '#terminal/width.ts';

const title = fc.oneof(
  fc.constantFrom(
    'https://hooks.example.com/billing',
    'https://hooks.example.com/billing/v2/incoming/tasks?token=abcdefghijklmnop',
    'https://hooks.example.com/billing/v3/incoming/tasks?token=abcdefghijklmnop',
    'https://例え.example/フック',
  ),
  // fc.webUrl() takes a second to begin.
  fc.stringMatching(/^https:\/\/[a-z\d-]{1,20}\.example(?:\/[\w.~%-]{0,16}){0,4}(?:\?[\w=&%]{0,30})?$/),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const detail = fc.oneof(
  fc.constantFrom('Active', 'Suspended', ''),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

/** Each with an id of its own, as the service gives them. */
const entries = fc.array(fc.record({ title, detail }), { minLength: 1, maxLength: 40 }).map((entryList) =>
  entryList.map((entry, index) => ({
    title: entry.title,
    details: [`IEAAAAAQW${String(index).padStart(7, '0')}`, entry.detail],
    value: index,
  })),
);

export function testLayout(numRuns: number) {
  test('no line is too wide, and from 40 cells on all lines differ', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 200 }), (all, width) => {
        const rows = toRows(all);
        const shown = rows.map((_, at) => at);
        const layout = createLayout(rows, shown, width);
        const lines = shown.map((at) => layout.line(at));
        for (const line of lines) {
          assert.ok(displayWidth(line) <= Math.max(width, 1), `${JSON.stringify(line)} in ${width}`);
          assert.doesNotMatch(line, /[\r\n]/);
        }
        if (width >= 40) assert.equal(new Set(lines).size, lines.length);
      }),
      { numRuns },
    );
  });

  test('at any screen size: no line too wide, no more lines than rows, exactly one highlighted', () => {
    const looks = { highlight: (text: string) => text, faint: (text: string) => text };
    fc.assert(
      fc.property(
        entries,
        fc.record({ columns: fc.integer({ min: 12, max: 200 }), rows: fc.integer({ min: 3, max: 60 }) }),
        fc.record({
          query: fc.oneof(fc.constantFrom('', 'https', '0000001', 'bill 03'), fc.string()),
          at: fc.nat(50),
        }),
        fc.boolean(),
        fc.lorem({ maxCount: 30 }),
        (all, size, typed, multiple, message) => {
          const rows = toRows(all);
          const matches = filterRows(rows, typed.query);
          const cursor = Math.min(typed.at, Math.max(0, matches.length - 1));
          const state = { query: typed.query, cursor, marked: new Set<number>() };
          const { head, body, pageSize } = drawFrame({ message, rows, multiple }, state, size, looks);
          const lines = [...head, ...body];
          assert.ok(lines.length <= size.rows, `${lines.length} lines of ${size.rows}`);
          for (const line of lines) assert.ok(displayWidth(line) < size.columns, JSON.stringify(line));
          assert.equal(body.filter((line) => line.startsWith('❯')).length, matches.length === 0 ? 0 : 1);
          assert.equal(body.filter((line) => /^(?:❯| {2})/.test(line)).length > 0, true);
          assert.ok(pageSize >= 1 && pageSize <= 15);
        },
      ),
      { numRuns },
    );
  });
}
