// Random text for ids, tokens, codes, tickets and challenges: alphanumeric, so that it never needs encoding.

import { randomInt } from 'node:crypto';

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function randomText(length: number, alphabet = alphanumeric): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
