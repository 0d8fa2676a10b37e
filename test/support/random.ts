// Random numbers and choices from a seed: the same seed, the same requests.

export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below this. */
  below(limit: number): number;
  /** True this often, from 0 to 1. */
  chance(share: number): boolean;
  one<T>(all: readonly [T, ...T[]]): T;
  /** Letters, digits and whatever else breaks parsers. */
  text(longest: number): string;
}

const odd: readonly [string, ...string[]] = [
  '',
  ' ',
  '%',
  '%00',
  '%zz',
  '\u0000',
  '\u0011',
  '\r\n',
  '"',
  "'",
  '\\',
  '<b>',
  '</td><table>',
  '<a href="javascript:x">',
  '&amp;',
  '&#0;',
  '🏮',
  'é',
  '\ud800',
  '[',
  ']',
  '{',
  '}',
  ',',
  'null',
  'true',
  '-1',
  '1e309',
  '99999999999999999999',
  '__proto__',
  'constructor',
  'toString',
  '../..',
  '2026-02-30',
  'x'.repeat(2_000),
];

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const random: Random = {
    next,
    below: (limit) => Math.floor(next() * limit),
    chance: (share) => next() < share,
    one: (all) => all[Math.floor(next() * all.length)] ?? all[0],
    text(longest) {
      let made = '';
      for (let left = random.below(longest + 1); left > 0; left--) {
        made += random.chance(0.7) ? String.fromCharCode(33 + random.below(94)) : random.one(odd);
      }
      return made;
    },
  };
  return random;
}
