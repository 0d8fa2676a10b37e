// Suggests the closest words of a list for a misspelt one: event names, enum values, flags, commands, columns and names of
// the service.

import { joinWithOr } from './format-list.ts';

const maxSuggestions = 5;

/** Shorter words are part of too many others by chance. */
const minSubstringLength = 3;

/**
 * The candidates closest to the word, in their order, at most five: all that are equally near, and none that is altogether
 * different. Case, spaces, `-` and `_` do not count. The word itself is no suggestion.
 */
export function nearestWords(word: string, candidates: readonly string[]): readonly string[] {
  const wanted = normalize(word);
  if (wanted === '') return [];
  const allowed = Math.max(1, Math.ceil(wanted.length / 3));
  const all = [...new Set(candidates)]
    .filter((candidate) => candidate !== word)
    .map((candidate) => ({ candidate, far: distance(wanted, normalize(candidate), allowed) }));
  // The stack has no room for the arguments of a hundred thousand names.
  const least = all.reduce((nearest, { far }) => Math.min(nearest, far), Number.POSITIVE_INFINITY);
  return all
    .filter(({ far }) => far === least && far <= allowed)
    .slice(0, maxSuggestions)
    .map(({ candidate }) => candidate);
}

/** `Did you mean TaskCreated or TaskDeleted?`, or nothing where no candidate is near. */
export function didYouMean(
  word: string,
  candidates: readonly string[],
  show: (candidate: string) => string = String,
): string | undefined {
  return formatDidYouMean(nearestWords(word, candidates).map(show));
}

/** The question for words that are known to be close; `undefined` for none. */
export function formatDidYouMean(near: readonly string[]): string | undefined {
  return near.length === 0 ? undefined : `Did you mean ${joinWithOr(near)}?`;
}

function normalize(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}

/** -1 for the same; 0 where one stands in the other; otherwise the slips between them. Words that differ too much in length are not compared. */
function distance(a: string, b: string, allowed: number): number {
  if (a === b) return -1;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= minSubstringLength && long.includes(short)) return 0;
  return long.length - short.length > allowed ? Number.POSITIVE_INFINITY : editDistance(a, b);
}

/** Damerau (optimal string alignment): substitutions, insertions, deletions, transpositions. */
function editDistance(a: string, b: string): number {
  let edits = b.length;
  let previous = '';
  // One for each letter of b: what it costs to turn the letters of a so far, or all of them but the last, into b up to it.
  let columns = b
    .split('')
    .map((letter, at) => ({ letter, cost: at + 1, costBefore: Number.POSITIVE_INFINITY }));
  for (const [row, wanted] of a.split('').entries()) {
    // The column before the first one: b has no letter yet.
    let left = { letter: '', cost: row, costBefore: row - 1 };
    let swapped = Number.POSITIVE_INFINITY;
    edits = row + 1;
    columns = columns.map((column) => {
      const { letter, cost } = column;
      const changed = left.cost + (wanted === letter ? 0 : 1);
      const exchanged = wanted === left.letter && previous === letter ? swapped + 1 : changed;
      edits = Math.min(changed, exchanged, cost + 1, edits + 1);
      swapped = left.costBefore;
      left = column;
      return { letter, cost: edits, costBefore: cost };
    });
    previous = wanted;
  }
  return edits;
}
