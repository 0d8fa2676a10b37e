// Finds where a text differs from its neighbours, word by word: URLs of a company may differ in the middle and at the end.

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A word of up to this length is shown whole: `team12` says more than `2`. */
const maxWordLength = 16;
/** If the numbers of words multiply to more than this, compare only from both ends. */
const maxPairs = 40_000;

export function findDifferences(own: readonly string[], neighbours: readonly (readonly string[])[]) {
  return neighbours.flatMap((neighbour) => {
    const differences = compareWords(splitWords(own), splitWords(neighbour));
    const present = differences.filter(({ from, to }) => from < to);
    // Where only the other text has words, keeps the characters on both sides, unless another difference says more.
    return present.length > 0
      ? present
      : differences.map(({ from, to }) => ({
          from: Math.max(0, from - 1),
          to: Math.min(own.length, to + 1),
        }));
  });
}

/** Splits into words, each with the separators before it. A long word counts character by character. */
export function splitUnits(text: readonly string[]): readonly Range[] {
  let start = 0;
  const units = splitWords(text).flatMap(({ from, to }) => {
    if (!isWordCharacter(text[from])) return [];
    const first = { from: start, to: to - from > maxWordLength ? from + 1 : to };
    start = to;
    const others = Array.from({ length: to - first.to }, (_, index) => first.to + index);
    return [first, ...others.map((at) => ({ from: at, to: at + 1 }))];
  });
  return start < text.length ? [...units, { from: start, to: text.length }] : units;
}

/** Returns the units of each text with which it leaves another one that has begun alike. */
export function findBranches(texts: readonly (readonly string[])[]): readonly (readonly Range[])[] {
  const nextUnits = new Map<string, Set<string>>();
  const paths = texts.map((text) =>
    // A text that ends where another one continues shows its end.
    [...splitUnits(text), { from: text.length, to: text.length }].map(({ from, to }) => {
      const before = text.slice(0, from).join('');
      const next = nextUnits.get(before) ?? new Set();
      nextUnits.set(before, next.add(text.slice(from, to).join('')));
      return { from: from === to ? Math.max(0, from - 1) : from, to, next };
    }),
  );
  return paths.map((path) => path.filter(({ next }) => next.size > 1));
}

interface Word extends Range {
  readonly text: string;
}

/** Splits into runs of letters and digits, and single other characters. */
function splitWords(text: readonly string[]): readonly Word[] {
  const words: Word[] = [];
  let from = 0;
  while (from < text.length) {
    let to = from + 1;
    if (isWordCharacter(text[from])) while (to < text.length && isWordCharacter(text[to])) to++;
    words.push({ from, to, text: text.slice(from, to).join('') });
    from = to;
  }
  return words;
}

function isWordCharacter(character = ''): boolean {
  return /^[\p{L}\p{N}]/u.test(character);
}

/** Returns the ranges of characters that the other text does not have; empty where only that one has some. */
function compareWords(own: readonly Word[], other: readonly Word[]): readonly Range[] {
  const shorter = Math.min(own.length, other.length);
  let start = 0;
  while (start < shorter && own[start]?.text === other[start]?.text) start++;
  let end = 0;
  while (end < shorter - start && own.at(-1 - end)?.text === other.at(-1 - end)?.text) end++;
  const ownEnd = own.length - end;
  const otherEnd = other.length - end;
  const differences: Range[] = [];
  let [from, otherFrom] = [start, start];
  const addUntil = (to: number, otherTo: number) => {
    if (to > from || otherTo > otherFrom) differences.push(toRange(own, from, to));
    [from, otherFrom] = [to + 1, otherTo + 1];
  };
  if ((ownEnd - start) * (otherEnd - start) <= maxPairs)
    for (const [index, otherIndex] of commonWords(own.slice(start, ownEnd), other.slice(start, otherEnd)))
      addUntil(start + index, start + otherIndex);
  addUntil(ownEnd, otherEnd);
  return differences;
}

/** Returns the characters of these words; an empty range if there are none. */
function toRange(words: readonly Word[], fromWord: number, toWord: number): Range {
  const from = words[fromWord]?.from ?? words.at(-1)?.to ?? 0;
  return { from, to: toWord > fromWord ? (words[toWord - 1]?.to ?? from) : from };
}

/** Returns the longest common subsequence as pairs of indices. */
function commonWords(own: readonly Word[], other: readonly Word[]): readonly (readonly [number, number])[] {
  const width = other.length + 1;
  const lengths = new Uint16Array((own.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = own.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        own[i]?.text === other[j]?.text
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
  const pairs: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < own.length && j < other.length)
    if (own[i]?.text === other[j]?.text) pairs.push([i++, j++]);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  return pairs;
}
