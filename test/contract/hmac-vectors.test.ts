// Signatures against published vectors of HMAC-SHA256, valid ones and forged ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sign, verify } from '#contract/signature.ts';
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
