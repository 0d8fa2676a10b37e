// Suggests the closest words of a list for a misspelt one: event names, enum values, flags, commands, columns and names of
// the service.

import { joinWithOr } from './format-list.ts';

const maxSuggestions = 5;

/** Shorter words are part of too many others by chance. */
const minSubstringLength = 3;

/** For each candidate, the words of other programs that have its meaning. All without case, `-` and `_`. */
export type Synonyms = Readonly<Record<string, string>>;

const synonymsOfValues: Synonyms = {
  active: 'open inprogress enabled',
  completed: 'done finished closed',
  deferred: 'onhold',
  high: 'urgent critical',
  normal: 'medium',
  suspended: 'paused disabled',
};

/**
 * The candidates that mean the word, or else the closest to it: all equally close ones, at most five, in their order; none if all are too different. Ignores
 * case, spaces, `-` and `_`. Never suggests the word itself.
 */
export function nearestWords(
  word: string,
  candidates: readonly string[],
  synonyms = synonymsOfValues,
): readonly string[] {
  const wanted = normalize(word);
  if (wanted === '') return [];
  const allowed = Math.max(1, Math.ceil(wanted.length / 3));
  const all = [...new Set(candidates)]
    .filter((candidate) => candidate !== word)
    .map((candidate) => ({ candidate, far: distance(wanted, normalize(candidate), allowed) }));
  // The stack has no room for the arguments of a hundred thousand names.
  if (!all.some(({ far }) => far === -1)) {
    const meant = all.filter(({ candidate }) => isSynonym(wanted, normalize(candidate), synonyms));
    if (meant.length > 0) return meant.map(({ candidate }) => candidate);
  }
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
  synonyms?: Synonyms,
): string | undefined {
  return formatDidYouMean(nearestWords(word, candidates, synonyms).map(show));
}

/** The question for words that are known to be close; `undefined` for none. */
export function formatDidYouMean(near: readonly string[]): string | undefined {
  return near.length === 0 ? undefined : `Did you mean ${joinWithOr(near)}?`;
}

function isSynonym(wanted: string, candidate: string, synonyms: Synonyms): boolean {
  return Object.hasOwn(synonyms, candidate) && synonyms[candidate]?.split(' ').includes(wanted) === true;
}

function normalize(word: string): string {
  return word
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

/** Comparing takes the product of two lengths, and no person misspells a longer word. */
const maxLength = 200;

/**
 * -1 for equal words; -0.5 if only a plural s differs; 0 if one contains the other; otherwise the number of typing errors
 * between them. Skips words that differ too much in length.
 */
function distance(a: string, b: string, allowed: number): number {
  if (a === b) return -1;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= minSubstringLength && long === `${short}s`) return -0.5;
  if (short.length >= minSubstringLength && long.includes(short)) return 0;
  return long.length > maxLength || long.length - short.length > allowed
    ? Number.POSITIVE_INFINITY
    : editDistance(a, b);
}

/** Damerau (optimal string alignment): substitutions, insertions, deletions, transpositions. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const at = (line: readonly number[], index: number) => line[index] ?? Number.POSITIVE_INFINITY;
      const changed = at(row, j) + (a[i] === b[j] ? 0 : 1);
      const exchanged = i > 0 && a[i] === b[j - 1] && a[i - 1] === b[j] ? at(before, j - 1) + 1 : changed;
      next.push(Math.min(changed, exchanged, at(row, j + 1) + 1, at(next, j) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
