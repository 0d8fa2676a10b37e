// The rate of a bulk run: its units.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bulkFlags } from '#tasks/many/flags.ts';

test('--rate: converts any unit to a number per minute', () => {
  for (const [typed, perMinute] of [
    ['400', 400],
    ['400/min', 400],
    ['400/m', 400],
    ['5/s', 300],
    ['5/sec', 300],
    ['6000/h', 100],
    ['6000/hour', 100],
  ] as const) {
    assert.equal(bulkFlags.rate.parse([typed]), perMinute, typed);
  }
  for (const typed of ['0', '5/d', '-1', '1.5', '5/', 'fast'])
    assert.throws(() => bulkFlags.rate.parse([typed]), /is not a rate/, typed);
});
