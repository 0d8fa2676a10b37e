// Signatures against published vectors of HMAC-SHA256, valid ones and forged ones, and against Node's own.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { sign, verify } from '../../src/contract/signature.ts';
import { rfc4231Vectors } from '../witness/rfc-4231.ts';
import { wycheproofVectors } from '../witness/wycheproof-hmac-sha256.ts';

for (const [source, vectors, valid] of [
  ['RFC 4231', rfc4231Vectors, 6],
  ['Wycheproof', wycheproofVectors, 33],
] as const) {
  test(`${vectors.length} vectors of ${source}, ${valid} of them valid`, () => {
    assert.equal(vectors.filter(({ isValid }) => isValid).length, valid);
    for (const { id, key, message, tag, isValid } of vectors) {
      const secret = Buffer.from(key, 'hex');
      const bytes = Buffer.from(message, 'hex');
      assert.equal(sign(secret, bytes) === tag, isValid, `${id}`);
      assert.equal(verify(secret, bytes, tag), isValid, `${id}`);
      assert.equal(verify(secret, bytes, tag.toUpperCase()), isValid, `${id}`);
    }
  });
}

test("any secret and content verify under Node's own signature, and under no other", () => {
  const around = (size: number) => fc.uint8Array({ minLength: size - 1, maxLength: size + 1 });
  const secret = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 200 }), around(64));
  const content = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 2000 }),
    around(16 * 1024),
  );
  fc.assert(
    fc.property(secret, content, fc.nat(63), (key, bytes, place) => {
      const right = createHmac('sha256', key).update(bytes).digest('hex');
      assert.ok(verify(key, bytes, right));
      const digit = right[place] === '0' ? '1' : '0';
      assert.ok(!verify(key, bytes, right.slice(0, place) + digit + right.slice(place + 1)));
    }),
  );
});
