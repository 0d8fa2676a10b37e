// The bytes are what came, however they were cut, and whatever length was announced.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GrowingBytes } from '#growing-bytes.ts';

const pattern = Buffer.from(Array.from({ length: 251 }, (_, index) => index));
const bytes = (length: number) => Buffer.alloc(length, pattern);

test('any pieces, with any announced length', () => {
  const piece = fc.oneof(fc.nat(20), fc.constantFrom(65_535, 65_536, 65_537, 200_000)).map(bytes);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, isAnnounced) => {
      const expected = Buffer.concat(pieces);
      const body = new GrowingBytes(isAnnounced ? expected.length : 0);
      for (const piece of pieces) body.add(piece);
      assert.equal(body.length, expected.length);
      assert.ok(expected.equals(body.take()));
      assert.deepEqual([body.length, body.take().length], [0, 0]);
    }),
  );
});

test('more and less than announced', () => {
  for (const announced of [1, 70_000, 1_000_000]) {
    const body = new GrowingBytes(announced);
    for (let i = 0; i < 10; i++) body.add(bytes(20_000));
    assert.ok(Buffer.concat(Array.from({ length: 10 }, () => bytes(20_000))).equals(body.take()));
  }
});
