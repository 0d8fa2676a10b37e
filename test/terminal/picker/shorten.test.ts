// Shortened titles: never wider than their column, what is left is what was there, and the part that differs from the
// line above and below stays whole where there is room for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findDifferences } from '../../../src/terminal/picker/differences.ts';
import { shorten } from '../../../src/terminal/picker/shorten.ts';
import { displayWidth, graphemes } from '../../../src/terminal/width.ts';

/** Each next to the one before and the one after it. */
const shortenAll = (texts: readonly string[], width: number): readonly string[] =>
  texts.map((text, at) => shorten(text, [texts[at - 1] ?? [], texts[at + 1] ?? []].flat(), width));

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

test('never wider than the column, and unchanged where it fits', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), fc.integer({ min: 1, max: 120 }), (texts, width) => {
      const short = shortenAll(texts, width);
      assert.equal(short.length, texts.length);
      for (const [at, one] of short.entries()) {
        const whole = texts[at] ?? '';
        assert.ok(displayWidth(one) <= Math.max(width, 1), `${JSON.stringify(one)} in ${width}`);
        if (displayWidth(whole) <= width) assert.equal(one, whole);
      }
    }),
    { numRuns: 2000 },
  );
});

test('what is left is what was there, in its order', () => {
  fc.assert(
    fc.property(
      fc.array(url, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 5, max: 80 }),
      (texts, width) => {
        for (const [at, one] of shortenAll(texts, width).entries()) {
          const whole = texts[at] ?? '';
          const pieces = one.split(ellipsis);
          assert.ok(whole.startsWith(pieces[0] ?? ''));
          assert.ok(whole.endsWith(pieces.at(-1) ?? ''));
          let from = 0;
          for (const piece of pieces) {
            const found = whole.indexOf(piece, from);
            assert.notEqual(found, -1, `${one} of ${whole}`);
            from = found + piece.length;
          }
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('the part that differs from a neighbour stays whole, where there is room for it', () => {
  let kept = 0;
  fc.assert(
    fc.property(
      fc.array(url, { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 8, max: 80 }),
      (texts, width) => {
        for (const [at, one] of shortenAll(texts, width).entries()) {
          const own = graphemes(texts[at] ?? '');
          const neighbours = [texts[at - 1], texts[at + 1]].flatMap((other) =>
            other === undefined ? [] : [graphemes(other)],
          );
          const parts = findDifferences(own, neighbours).map(({ from, to }) => own.slice(from, to).join(''));
          // An ellipsis before, between and behind them at most.
          const needed = parts.reduce((sum, part) => sum + displayWidth(part), parts.length + 1);
          if (needed > width) continue;
          for (const part of parts) assert.ok(one.includes(part), `${part} in ${one} (${width})`);
          if (one.includes(ellipsis)) kept++;
        }
      },
    ),
    { numRuns: 2000 },
  );
  assert.ok(kept > 1000, `only ${kept} were shortened`);
});

test('for example', () => {
  const of = (...names: string[]) => names.map((name) => `https://hooks.example.com/${name}/incoming/tasks`);
  assert.deepEqual(shortenAll(of('team1', 'team12', 'design'), 32), [
    'https:….com/team1/incoming/tasks',
    'https….com/team12/incoming/tasks',
    'https….com/design/incoming/tasks',
  ]);
});

test('two parts that differ, far from each other, both stay', () => {
  const urls = [9, 10, 11, 12].map(
    (n) =>
      `https://hooks.example.com/customers/team${n}/work-management/notifications/v2/incoming/${String(n).padStart(8, '0')}?env=production`,
  );
  for (const width of [30, 38, 78, 110]) {
    for (const [at, one] of shortenAll(urls, width).entries()) {
      assert.ok(one.includes(`team${at + 9}`), `${one} (${width})`);
      assert.ok(one.includes(String(at + 9).padStart(8, '0')), `${one} (${width})`);
      assert.ok(displayWidth(one) <= width);
    }
  }
  // Too narrow for both parts: the first.
  assert.deepEqual(
    shortenAll(urls, 16).map((one, at) => one.includes(`team${at + 9}`)),
    [true, true, true, true],
  );
});

test('between neighbours of other hosts, what differs from the one that is alike stays', () => {
  const of = (name: string) =>
    `https://hooks.production.example.com/services/integrations/${name}/deliver/v2/webhook/receiver/endpoint`;
  const other = (name: string) =>
    `https://${name}.internal.example.net/receive/all/of/the/events/please/and/thank/you`;
  const urls = [other('alpha'), of('billing-europe'), of('payroll-europe'), other('zulu')];
  for (const width of [40, 60, 78]) {
    const [, billing = '', payroll = ''] = shortenAll(urls, width);
    assert.ok(billing.includes('billing'), `${billing} (${width})`);
    assert.ok(payroll.includes('payroll'), `${payroll} (${width})`);
  }
});
