// What may have been meant by a word that is none of a closed set: the one measure of nearness for event names, enum
// values, flags, commands, columns and names that the service knows.

const most = 5;

/** Shorter words stand in too many others by chance. */
const leastInside = 3;

/**
 * The candidates closest to the word, the closest first, at most five; none that is altogether different. Case, spaces,
 * `-` and `_` do not count: one that differs in nothing else is the only answer.
 */
export function nearest(word: string, candidates: readonly string[]): readonly string[] {
  const wanted = folded(word);
  if (wanted === '') return [];
  const all = [...new Set(candidates)];
  const same = all.filter((candidate) => folded(candidate) === wanted);
  if (same.length > 0) return same.slice(0, most);
  const allowed = Math.max(1, Math.ceil(wanted.length / 3));
  return all
    .map((candidate) => ({ candidate, far: distance(wanted, folded(candidate), allowed) }))
    .filter(({ far }) => far <= allowed)
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** `Did you mean TaskCreated or TaskDeleted?`, or nothing where no candidate is near. */
export function didYouMean(
  word: string,
  candidates: readonly string[],
  show: (candidate: string) => string = String,
): string | undefined {
  const near = nearest(word, candidates).map(show);
  const last = near.pop();
  if (last === undefined) return undefined;
  return `Did you mean ${near.length === 0 ? last : `${near.join(', ')} or ${last}`}?`;
}

function folded(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}

/** 0 where one stands in the other; otherwise the slips between them. Words that differ too much in length are not compared. */
function distance(a: string, b: string, allowed: number): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= leastInside && long.includes(short)) return 0;
  return long.length - short.length > allowed ? Number.POSITIVE_INFINITY : slips(a, b);
}

/** How many letters must be changed, added, taken away, or exchanged with their neighbour. */
function slips(a: string, b: string): number {
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
