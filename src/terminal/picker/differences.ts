// Finds where a text differs from its neighbours, word by word. Two URLs of a company may differ in a name in the middle and a number
// at the end.

/** A range of characters in which a text differs from another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Keeps a differing word of up to this length whole: `team12` says more than `2`. */
const maxWordLength = 16;
/** If the numbers of words multiply to more than this, compare only from both ends. */
const maxPairs = 40_000;

export function findDifferences(
  own: readonly string[],
  neighbours: readonly (readonly string[])[],
): readonly Range[] {
  return neighbours.flatMap((neighbour) =>
    compareWords(splitWords(own), splitWords(neighbour)).map((difference) =>
      distinctRange(own, neighbour, difference),
    ),
  );
}

/** Two ranges of characters, one in each text, with different content. Either may be empty. */
interface Difference {
  readonly own: Range;
  readonly other: Range;
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

function compareWords(own: readonly Word[], other: readonly Word[]): readonly Difference[] {
  const shorter = Math.min(own.length, other.length);
  let start = 0;
  while (start < shorter && own[start]?.text === other[start]?.text) start++;
  let end = 0;
  while (end < shorter - start && own.at(-1 - end)?.text === other.at(-1 - end)?.text) end++;
  const ownEnd = own.length - end;
  const otherEnd = other.length - end;
  const differences: Difference[] = [];
  let [from, otherFrom] = [start, start];
  const addUntil = (to: number, otherTo: number) => {
    if (to > from || otherTo > otherFrom)
      differences.push({ own: toRange(own, from, to), other: toRange(other, otherFrom, otherTo) });
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
  for (let i = own.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        own[i]?.text === other[j]?.text
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < own.length && j < other.length) {
    if (own[i]?.text === other[j]?.text) pairs.push([i++, j++]);
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** Returns the part of a difference to keep: removes what is equal at both ends of long words. */
function distinctRange(own: readonly string[], other: readonly string[], difference: Difference): Range {
  let { from, to } = difference.own;
  if (to - from > maxWordLength) {
    let { from: otherFrom, to: otherTo } = difference.other;
    for (; from < to && otherFrom < otherTo && own[from] === other[otherFrom]; otherFrom++) from++;
    for (; from < to && otherFrom < otherTo && own[to - 1] === other[otherTo - 1]; otherTo--) to--;
  }
  // If only the other text has characters here, keep the ones on both sides.
  return from < to ? { from, to } : { from: Math.max(0, from - 1), to: Math.min(own.length, to + 1) };
}
