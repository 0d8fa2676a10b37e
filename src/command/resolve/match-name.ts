// Finds items by name, and the errors for a name that is not found (with what may have been meant) or not unique.

import { didYouMean } from '../../contract/did-you-mean.ts';
import { formatValue } from '../../contract/schema.ts';
import { type Failure, usageError } from '../../failure.ts';

/** The items with this name letter for letter, or, if there are none, in any case. */
export function findByName<T>(
  all: readonly T[],
  name: string,
  nameOf: (one: T) => string | undefined,
): readonly T[] {
  const exact = all.filter((one) => nameOf(one) === name);
  if (exact.length > 0) return exact;
  const wanted = name.trim().toLowerCase();
  return all.filter((one) => nameOf(one)?.toLowerCase() === wanted);
}

const maxListed = 20;

/** `what` is `a custom field`. `listed`: the names to list where none of the candidates is near. */
export function nameNotFound(
  flag: string,
  name: string,
  what: string,
  candidates: readonly string[],
  listed: readonly string[] = candidates,
): Failure {
  return usageError(
    `--${flag}: ${formatValue(name)} is not ${what}`,
    didYouMean(name, candidates, formatValue) ??
      (listed.length > 0 && listed.length <= maxListed
        ? `Available: ${listed.join(', ')}`
        : `None of the ${listed.length} that you can see is similar.`),
  );
}

/** Several have this name; each candidate is shown with what tells it apart. */
export function ambiguousName(
  flag: string,
  name: string,
  what: string,
  candidates: readonly string[],
): Failure {
  return usageError(
    `--${flag}: ${formatValue(name)} is the name of ${candidates.length} ${what}`,
    `Give the id instead:\n${candidates.map((one) => `  ${one}`).join('\n')}`,
  );
}
