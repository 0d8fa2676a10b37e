// Finds where a text differs from others, word by word. Two URLs of one company may differ in a name in the middle and a number at
// the end.

/** A range of characters in which a text differs from another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A differing word up to this length stays whole: `team12` says more than `2`. */
const maxWordLength = 16;
/** If the numbers of words multiply to more than this, compare only from both ends. */
const maxPairs = 40_000;

export function findDifferences(
  own: readonly string[],
  others: readonly (readonly string[])[],
): readonly Range[] {
  return others.flatMap((otherText) =>
    gapsBetween(wordsOf(own), wordsOf(otherText)).map((gap) => distinctRange(own, otherText, gap)),
  );
}

/** Places in two texts, in characters, with different content. */
interface Gap {
  readonly own: Range;
  readonly other: Range;
}

interface Word extends Range {
  readonly text: string;
}

/** Splits into runs of letters and digits, and single other characters. */
function wordsOf(text: readonly string[]): readonly Word[] {
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

function gapsBetween(own: readonly Word[], other: readonly Word[]): readonly Gap[] {
  const least = Math.min(own.length, other.length);
  let start = 0;
  while (start < least && own[start]?.text === other[start]?.text) start++;
  let end = 0;
  while (end < least - start && own.at(-1 - end)?.text === other.at(-1 - end)?.text) end++;
  const ownEnd = own.length - end;
  const otherEnd = other.length - end;
  if (start === ownEnd && start === otherEnd) return [];
  const spanOf = (words: readonly Word[], from: number, to: number): Range => ({
    from: words[from]?.from ?? words.at(-1)?.to ?? 0,
    to: words[to - 1]?.to ?? 0,
  });
  const gap = (from: number, to: number, otherFrom: number, otherTo: number): Gap => ({
    own: to > from ? spanOf(own, from, to) : emptyAt(own, from),
    other: otherTo > otherFrom ? spanOf(other, otherFrom, otherTo) : emptyAt(other, otherFrom),
  });
  if ((ownEnd - start) * (otherEnd - start) > maxPairs) return [gap(start, ownEnd, start, otherEnd)];
  const gaps: Gap[] = [];
  let [from, otherFrom] = [start, start];
  for (const [at, otherAt] of [
    ...commonWords(own.slice(start, ownEnd), other.slice(start, otherEnd)).map(
      ([one, two]) => [one + start, two + start] as const,
    ),
    [ownEnd, otherEnd] as const,
  ]) {
    if (at > from || otherAt > otherFrom) gaps.push(gap(from, at, otherFrom, otherAt));
    [from, otherFrom] = [at + 1, otherAt + 1];
  }
  return gaps;
}

function emptyAt(words: readonly Word[], index: number): Range {
  const at = words[index]?.from ?? words.at(-1)?.to ?? 0;
  return { from: at, to: at };
}

/** Returns the longest common subsequence as pairs of indices. */
function commonWords(own: readonly Word[], other: readonly Word[]): readonly (readonly [number, number])[] {
  const width = other.length + 1;
  const lengths = new Uint16Array((own.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = own.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        own[i]?.text === other[j]?.text ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < own.length && j < other.length) {
    if (own[i]?.text === other[j]?.text) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** Returns the part of a difference to keep: removes what is equal at both ends of long words. */
function distinctRange(own: readonly string[], other: readonly string[], gap: Gap): Range {
  let { from, to } = gap.own;
  if (to - from > maxWordLength) {
    let [otherFrom, otherTo] = [gap.other.from, gap.other.to];
    while (from < to && otherFrom < otherTo && own[from] === other[otherFrom]) {
      from++;
      otherFrom++;
    }
    while (from < to && otherFrom < otherTo && own[to - 1] === other[otherTo - 1]) {
      to--;
      otherTo--;
    }
  }
  // If only the other text has more here, keep the characters on both sides of the place.
  return from < to ? { from, to } : { from: Math.max(0, from - 1), to: Math.min(own.length, to + 1) };
}
