// Shortened titles: never wider than their column, what is left is what was there, and the part that differs from the
// line above and below stays whole where there is room for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shorten } from '#terminal/picker/shorten.ts';
import { displayWidth } from '#terminal/width.ts';
import { testShortening } from './shorten-properties.ts';

testShortening(60);

/** Each next to the one before and the one after it. */
const shortenAll = (texts: readonly string[], width: number): readonly string[] =>
  texts.map((text, index) => shorten(text, [texts[index - 1] ?? [], texts[index + 1] ?? []].flat(), width));

test('examples', () => {
  const of = (...names: string[]) => names.map((name) => `https://hooks.example.com/${name}/incoming/tasks`);
  assert.deepEqual(shortenAll(of('team1', 'team12', 'design'), 32), [
    '….com/team1/incoming/tasks',
    '….com/team12/incoming/tasks',
    '….com/design/incoming/tasks',
  ]);
});

test('keeps two differing parts that are far apart', () => {
  const urls = [9, 10, 11, 12].map(
    (n) =>
      `https://hooks.example.com/customers/team${n}/work-management/notifications/v2/incoming/${String(n).padStart(8, '0')}?env=production`,
  );
  for (const width of [30, 38, 78, 110]) {
    for (const [index, shortened] of shortenAll(urls, width).entries()) {
      assert.ok(shortened.includes(`team${index + 9}`), `${shortened} (${width})`);
      assert.ok(shortened.includes(String(index + 9).padStart(8, '0')), `${shortened} (${width})`);
      assert.ok(displayWidth(shortened) <= width);
    }
  }
  // Too narrow for both parts: the first.
  assert.deepEqual(
    shortenAll(urls, 16).map((shortened, index) => shortened.includes(`team${index + 9}`)),
    [true, true, true, true],
  );
});

test('keeps the part that differs from a similar URL, among URLs of other hosts', () => {
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
