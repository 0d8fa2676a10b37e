// Random text for tokens, codes, tickets and challenges: alphanumeric, so that it never needs encoding.

import { randomBytes } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Discards bytes from 248 up, which would make some letters likelier. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
