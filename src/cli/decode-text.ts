// Decodes UTF-8, and UTF-16 with a byte order mark, which PowerShell and Notepad may write.

import { usageError } from '#failure.ts';

const marks = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
] as const;

/** Throws a usage failure for anything but text. `name`: the input, for the message. */
export function decodeInput(bytes: Uint8Array, name: string): string {
  try {
    return decodeText(bytes, { fatal: true });
  } catch {
    throw usageError(`${name} is neither UTF-8 nor UTF-16 text`);
  }
}

/** Removes the byte order mark. Invalid bytes throw a TypeError if `fatal` is set, and are replaced otherwise. */
export function decodeText(bytes: Uint8Array, { fatal = false } = {}): string {
  const [encoding = 'utf-8'] =
    marks.find(([, first, second]) => bytes[0] === first && bytes[1] === second) ?? [];
  return new TextDecoder(encoding, { fatal }).decode(bytes);
}
