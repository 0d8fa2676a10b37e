// The test cases of RFC 4231 for HMAC-SHA256, in hex. Case 5 shows a tag cut to 128 bits, which is no signature here.
// @see [RFC 4231 §4](https://www.rfc-editor.org/rfc/rfc4231#section-4)

import type { HmacVector } from './wycheproof-hmac-sha256.ts';

const hex = (text: string) => Buffer.from(text).toString('hex');

const vectors: readonly (readonly [key: string, message: string, tag: string])[] = [
  ['0b'.repeat(20), hex('Hi There'), 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    hex('Jefe'),
    hex('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  ['aa'.repeat(20), 'dd'.repeat(50), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
  [
    '0102030405060708090a0b0c0d0e0f10111213141516171819',
    'cd'.repeat(50),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  ['0c'.repeat(20), hex('Test With Truncation'), 'a3b6167473100ee06e0c796c2955552b'],
  [
    'aa'.repeat(131),
    hex('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    'aa'.repeat(131),
    hex(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
];

export const rfc4231Vectors: readonly HmacVector[] = vectors.map(([key, message, tag], index) => ({
  ...{ id: index + 1, key, message, tag },
  isValid: index + 1 !== 5,
}));
