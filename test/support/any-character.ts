// The characters of random texts, for fc.string({ unit }).

import fc from 'fast-check';

/** Any code point but surrogates, as fast-check's `binary`, which builds a table of a million entries in each process. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));
