// Unguessable texts: tokens, codes, tickets, challenges. Alphanumeric, so that they stand anywhere without encoding.

import { randomBytes } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits; bytes that would favour some letters are thrown away. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % alphabet.length] ?? '';
    }
  }
  return text;
}
