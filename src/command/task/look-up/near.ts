// Names that are not found, and those that may have been meant.

import { shown } from '../../../contract/value.ts';
import { type Failure, usage } from '../../../failure.ts';

const most = 5;

/** The candidates closest to the name, the closest first; none that is altogether different. */
export function nearest(name: string, candidates: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase();
  return [...new Set(candidates)]
    .map((candidate) => {
      const other = candidate.toLowerCase();
      const holds = other.includes(wanted) || wanted.includes(other);
      return { candidate, distance: holds ? 0 : distance(wanted, other) };
    })
    .filter(({ distance: one }) => one <= Math.max(2, wanted.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** How many letters must be changed, added or taken away. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const changed = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** `what` is `a custom field`, `seeAll` says where all of them are. */
export function notFound(flag: string, name: string, what: string, candidates: readonly string[]): Failure {
  const near = nearest(name, candidates);
  const hint =
    near.length > 0
      ? `Did you mean ${near.map((one) => shown(one)).join(' or ')}?`
      : candidates.length > 0 && candidates.length <= 20
        ? `There are: ${candidates.join(', ')}`
        : `None of the ${candidates.length} that you can see is like it.`;
  return usage(`--${flag}: ${shown(name)} is not ${what}`, hint);
}

/** Several have this name; each candidate is told with what tells it apart. */
export function ambiguous(flag: string, name: string, what: string, candidates: readonly string[]): Failure {
  return usage(
    `--${flag}: ${shown(name)} is the name of ${candidates.length} ${what}`,
    `Say which by its id:\n${candidates.map((one) => `  ${one}`).join('\n')}`,
  );
}
