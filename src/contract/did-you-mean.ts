// Suggests the closest of a list of words for a misspelt one, such as an event, a flag, a command or a column.

import { joinWithOr } from './format-list.ts';

const maxSuggestions = 5;
/** Shorter words occur in too many others by chance. */
const minSubstringLength = 3;

/** For each candidate, words with the same meaning in other programs. All in lower case, without `-` and `_`. */
export type Synonyms = Readonly<Record<string, string>>;

const synonymsOfValues: Synonyms = {
  active: 'open inprogress enabled',
  completed: 'done finished closed',
  deferred: 'onhold',
  high: 'urgent critical',
  normal: 'medium',
  suspended: 'paused disabled',
};

/** Synonyms of the word, or else the closest candidates, at most five, in their order. Ignores case, spaces, `-` and `_`. */
export function nearestWords(word: string, candidates: readonly string[], synonyms = synonymsOfValues) {
  const normalWord = normalize(word);
  if (normalWord === '') return [];
  const maxErrors = Math.max(1, Math.ceil(normalWord.length / 3));
  const rows = [...new Set(candidates)]
    .filter((candidate) => candidate !== word)
    .map((candidate) => ({ candidate, errors: distance(normalWord, normalize(candidate), maxErrors) }));
  if (!rows.some(({ errors }) => errors === -1)) {
    const meant = rows.filter(({ candidate }) => isSynonym(normalWord, normalize(candidate), synonyms));
    if (meant.length > 0) return meant.map(({ candidate }) => candidate);
  }
  // Not Math.min(...): a hundred thousand names would exhaust the stack.
  const least = rows.reduce((minimum, { errors }) => Math.min(minimum, errors), Number.POSITIVE_INFINITY);
  return rows
    .filter(({ errors }) => errors === least && errors <= maxErrors)
    .slice(0, maxSuggestions)
    .map(({ candidate }) => candidate);
}

/** `Did you mean TaskCreated or TaskDeleted?`; undefined if no candidate is close. */
export function didYouMean(
  word: string,
  candidates: readonly string[],
  show: (candidate: string) => string = String,
  synonyms?: Synonyms,
): string | undefined {
  return formatDidYouMean(nearestWords(word, candidates, synonyms).map(show));
}

/** Undefined without suggestions. */
export function formatDidYouMean(suggestions: readonly string[]): string | undefined {
  return suggestions.length === 0 ? undefined : `Did you mean ${joinWithOr(suggestions)}?`;
}

function isSynonym(word: string, candidate: string, synonyms: Synonyms): boolean {
  return Object.hasOwn(synonyms, candidate) && synonyms[candidate]?.split(' ').includes(word) === true;
}

function normalize(word: string): string {
  return word
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

/** Comparing takes the product of the lengths, and longer words are not typing errors. */
const maxLength = 200;

/** -1 for equal words; -0.5 if only a plural s differs; 0 if one contains the other; else the number of typing errors, or infinity. */
function distance(a: string, b: string, maxErrors: number): number {
  if (a === b) return -1;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= minSubstringLength && long === `${short}s`) return -0.5;
  if (short.length >= minSubstringLength && long.includes(short)) return 0;
  return long.length > maxLength || long.length - short.length > maxErrors
    ? Number.POSITIVE_INFINITY
    : editDistance(a, b);
}

/** Damerau (optimal string alignment): substitutions, insertions, deletions, transpositions. */
function editDistance(a: string, b: string): number {
  let previous: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const cell = (line: readonly number[], index: number) => line[index] ?? Number.POSITIVE_INFINITY;
      const substituted = cell(row, j) + (a[i] === b[j] ? 0 : 1);
      const isSwapped = i > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const transposed = isSwapped ? cell(previous, j - 1) + 1 : substituted;
      next.push(Math.min(substituted, transposed, cell(row, j + 1) + 1, cell(next, j) + 1));
    }
    previous = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
