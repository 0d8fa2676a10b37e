// What is true of shortened titles, whatever they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findDifferences } from '#terminal/picker/differences.ts';
import { shorten } from '#terminal/picker/shorten.ts';
import { displayWidth, graphemes } from '#terminal/width.ts';

/** Each next to the one before and the one after it. */
const shortenAll = (texts: readonly string[], width: number): readonly string[] =>
  texts.map((text, index) => shorten(text, [texts[index - 1] ?? [], texts[index + 1] ?? []].flat(), width));

/** Much alike, as the URLs of one company are. */
const url = fc
  .tuple(
    fc.constantFrom('https://hooks.example.com/', 'https://hooks.example.org/api/v2/callbacks/of/teams/'),
    fc.constantFrom('', 'team', 'チーム', 'équipe/', '👩‍👩‍👧'),
    fc.stringMatching(/^[a-z0-9]{0,40}$/),
    fc.constantFrom(
      '',
      '/incoming/webhooks/tasks',
      '?token=abcdefghijklmnopqrstuvwxyz',
      '/日本語のパス/終わり',
    ),
  )
  .map((parts) => parts.join(''));
const text = fc.oneof(
  { weight: 4, arbitrary: url },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }) },
);

const ellipsis = '…';

export function testShortening(numRuns: number) {
  test('never wider than the column, and unchanged if it fits', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), fc.integer({ min: 1, max: 120 }), (texts, width) => {
        const short = shortenAll(texts, width);
        assert.equal(short.length, texts.length);
        for (const [index, shortened] of short.entries()) {
          const whole = texts[index] ?? '';
          assert.ok(
            displayWidth(shortened) <= Math.max(width, 1),
            `${JSON.stringify(shortened)} in ${width}`,
          );
          if (displayWidth(whole) <= width) assert.equal(shortened, whole);
        }
      }),
      { numRuns },
    );
  });

  test('keeps the remaining characters in order', () => {
    fc.assert(
      fc.property(
        fc.array(url, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 5, max: 80 }),
        (texts, width) => {
          for (const [index, shortened] of shortenAll(texts, width).entries()) {
            const whole = (texts[index] ?? '').replace(/^https:\/\//, shortened === texts[index] ? '$&' : '');
            const pieces = shortened.split(ellipsis);
            assert.ok(whole.startsWith(pieces[0] ?? ''));
            assert.ok(whole.endsWith(pieces.at(-1) ?? ''));
            let from = 0;
            for (const piece of pieces) {
              const found = whole.indexOf(piece, from);
              assert.notEqual(found, -1, `${shortened} of ${whole}`);
              from = found + piece.length;
            }
          }
        },
      ),
      { numRuns },
    );
  });

  test('keeps the part that differs from a neighbour whole, given enough room', () => {
    let shortenedCount = 0;
    fc.assert(
      fc.property(
        fc.array(url, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 8, max: 80 }),
        (texts, width) => {
          for (const [index, shortened] of shortenAll(texts, width).entries()) {
            const own = graphemes(texts[index] ?? '');
            const neighbours = [texts[index - 1], texts[index + 1]].flatMap((other) =>
              other === undefined ? [] : [graphemes(other)],
            );
            const parts = findDifferences(own, neighbours).map(({ from, to }) =>
              own.slice(from, to).join(''),
            );
            // An ellipsis before, between and behind them at most.
            const needed = parts.reduce((sum, part) => sum + displayWidth(part), parts.length + 1);
            if (needed > width) continue;
            for (const part of parts)
              assert.ok(shortened.includes(part), `${part} in ${shortened} (${width})`);
            if (shortened.includes(ellipsis)) shortenedCount++;
          }
        },
      ),
      { numRuns },
    );
    assert.ok(shortenedCount > numRuns / 2, `only ${shortenedCount} were shortened`);
  });
}
