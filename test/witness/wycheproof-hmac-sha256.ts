// The HMAC-SHA256 vectors of Project Wycheproof with tags of 256 bits, reduced to what a test needs. Source:
// https://github.com/C2SP/wycheproof, testvectors_v1/hmac_sha256_test.json at commit
// dac1dd4729fd1f8dd9e1e9f3dce51d783da6c166. Licensed under the Apache License 2.0, https://www.apache.org/licenses/LICENSE-2.0.

import { readFileSync } from 'node:fs';

export interface HmacVector {
  readonly id: number;
  /** All three in hex. */
  readonly key: string;
  readonly message: string;
  readonly tag: string;
  readonly isValid: boolean;
}

/** Number, key, message, tag, and whether it is the tag of that message; - is an empty message. */
const table = readFileSync('test/witness/wycheproof-hmac-sha256.txt', 'utf8');

export const wycheproofVectors: readonly HmacVector[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [id, key = '', message = '', tag = '', verdict] = line.split(' ');
    return {
      id: Number(id),
      key,
      message: message === '-' ? '' : message,
      tag,
      isValid: verdict === 'valid',
    };
  });
