// Signing: HMAC-SHA256 over the bytes of a body, and over a handshake's challenge, as lower-case hex.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { limit } from './limit.ts';

/** Signs bytes, or the UTF-8 of a text: 64 lower-case hex digits (RFC 2104). Contract: Secure webhooks 2, 4. */
export function sign(secret: string | Uint8Array, content: string | Uint8Array): string {
  return createHmac('sha256', secret).update(content).digest('hex');
}

/** HMAC-SHA256 as hex of either case. */
export const signaturePattern = /^[0-9a-fA-F]{64}$/;

/** Compares in constant time; accepts hex of either case. */
export function verify(secret: string | Uint8Array, content: string | Uint8Array, signature: string) {
  const expected = createHmac('sha256', secret).update(content).digest();
  // Decoding stops at the first character other than a hex digit, so only 64 hex digits give 32 bytes.
  const received = Buffer.from(signature.length === 2 * expected.length ? signature : '', 'hex');
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** Compares two secrets in constant time. Hashes them, since `timingSafeEqual` needs equal lengths. */
export function isSameText(first: string, second: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(first), digest(second));
}

export const challengePattern = /^[A-Za-z0-9]+$/;

/** True for a challenge that a receiver may sign. Another text could be a forged body. Contract: Secure webhooks 5. */
export function isChallenge(text: string): boolean {
  return challengePattern.test(text) && text.length <= limit.challengeCharacters;
}
