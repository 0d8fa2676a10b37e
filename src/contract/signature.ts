// Signing: HMAC-SHA256 over the bytes of a body, and over a handshake's challenge, as lower-case hex.

import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import { limit } from './limit.ts';

/**
 * The signature of these bytes (or of a text's UTF-8) under a webhook's secret: 64 lower-case hex digits.
 * Contract: Secure webhooks 2, 4.
 * @see [RFC 2104](https://www.rfc-editor.org/rfc/rfc2104)
 */
export function sign(secret: string | Uint8Array, content: string | Uint8Array): string {
  return createHmac('sha256', secret).update(content).digest('hex');
}

/** HMAC-SHA256 as hex of either case. */
export const signaturePattern = /^[0-9a-fA-F]{64}$/;

/** True if `signature` is that of the content. Compares in constant time; accepts hex of either case. */
export function verify(
  secret: string | Uint8Array,
  content: string | Uint8Array,
  signature: string,
): boolean {
  const expected = hmacSha256(secret, content);
  // Decoding ends at the first character that is no hex digit, so only 64 of them give 32 bytes.
  const given = Buffer.from(signature.length === 2 * expected.length ? signature : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const blockBytes = 64;
const digestBytes = 32;
const pads = { inner: 0x36, outer: 0x5c } as const;
/** Longer content would be copied at a cost. */
const mostCopiedBytes = 16 * 1024;

/**
 * HMAC-SHA256 from two hashes (RFC 2104), as a receiver needs it for each delivery: `createHmac` makes an object outside V8's heap,
 * which takes longer than the hashing.
 */
function hmacSha256(secret: string | Uint8Array, content: string | Uint8Array): Buffer {
  const key = toBytes(secret);
  const bytes = toBytes(content);
  if (key.length > blockBytes || bytes.length > mostCopiedBytes)
    return createHmac('sha256', key).update(bytes).digest();
  const inner = Buffer.allocUnsafe(blockBytes + bytes.length).fill(pads.inner, 0, blockBytes);
  const outer = Buffer.allocUnsafe(blockBytes + digestBytes).fill(pads.outer, 0, blockBytes);
  for (let index = 0; index < key.length; index += 1) {
    const byte = key[index] ?? 0;
    inner[index] = pads.inner ^ byte;
    outer[index] = pads.outer ^ byte;
  }
  inner.set(bytes, blockBytes);
  outer.write(hash('sha256', inner, 'binary'), blockBytes, 'binary');
  // `hash` takes longer if it returns a buffer.
  return Buffer.from(hash('sha256', outer, 'binary'), 'binary');
}

const toBytes = (given: string | Uint8Array) => (typeof given === 'string' ? Buffer.from(given) : given);

/** Compares two secrets in constant time. Hashes first, since `timingSafeEqual` takes buffers of one length only. */
export function isSameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

export const challengePattern = /^[A-Za-z0-9]+$/;

/** True for a challenge that a receiver may sign; another text could be a forged body. Contract: Secure webhooks 5. */
export function isChallenge(text: string): boolean {
  return challengePattern.test(text) && text.length <= limit.challengeCharacters;
}
