// What is made of random bytes: every character of an alphabet equally often, and a UUID of version 4.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomText, randomUuid } from '#random-values.ts';

/** Returns these bytes, one after the other. */
function sourceOf(...bytes: readonly number[]) {
  let used = 0;
  return {
    randomBytes(count: number) {
      used += count;
      assert.ok(used <= bytes.length);
      return Buffer.from(bytes.slice(used - count, used));
    },
  };
}

test('a text has one character for each byte below the last whole alphabet', () => {
  assert.equal(randomText(sourceOf(0, 1, 2, 3), 4, 'abc'), 'abca');
  // 255 is 85 alphabets of three: it would make `a` more frequent.
  assert.equal(randomText(sourceOf(255, 254, 255, 4), 2, 'abc'), 'cb');
  assert.equal(randomText(sourceOf(61, 62, 247, 248, 0), 4), '9A9A');
});

test('a UUID has its version and its variant in place of six bits', () => {
  const bytes = Array.from({ length: 16 }, (_, index) => index * 17);
  assert.equal(randomUuid(sourceOf(...bytes)), '00112233-4455-4677-8899-aabbccddeeff');
  assert.equal(randomUuid(sourceOf(...bytes.map(() => 255))), 'ffffffff-ffff-4fff-bfff-ffffffffffff');
});
