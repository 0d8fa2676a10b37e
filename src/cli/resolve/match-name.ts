// Finds items by name, and the errors for a name that is not found (with what may have been meant) or not unique.

import { didYouMean } from '#contract/did-you-mean.ts';
import { formatValue } from '#contract/schema.ts';
import { type Failure, usageError } from '#failure.ts';
import type { ListCommand } from './list-command.ts';
import { createTextMatch, foldName } from './text-match.ts';

/** The items with this name letter for letter, or, if there are none, as it looks, or in any case. */
export function findByName<T>(
  all: readonly T[],
  name: string,
  nameOf: (one: T) => string | undefined,
): readonly T[] {
  const exact = all.filter((one) => nameOf(one) === name);
  if (exact.length > 0) return exact;
  const composed = name.normalize('NFC');
  const alike = all.filter((one) => nameOf(one)?.normalize('NFC') === composed);
  if (alike.length > 0) return alike;
  const wanted = foldName(name.trim());
  return all.filter((one) => {
    const given = nameOf(one);
    return given !== undefined && foldName(given) === wanted;
  });
}

const maxListed = 20;

export interface NameNotFoundOptions {
  /** The names to list where none of the candidates is near; without them, the candidates. */
  readonly listed?: readonly string[];
  readonly listCommand?: ListCommand | undefined;
}

/** `what` is `a custom field`. */
export function nameNotFound(
  flag: string,
  name: string,
  what: string,
  candidates: readonly string[],
  { listed = candidates, listCommand }: NameNotFoundOptions = {},
): Failure {
  const message = `--${flag}: ${formatValue(name)} is not ${what}`;
  const near = didYouMean(name, candidates, formatValue);
  if (near === undefined && listed.length > 0 && listed.length <= maxListed)
    return usageError(message, `Available: ${listed.join(', ')}`);
  const first =
    near ??
    (listed.length === 0
      ? 'You can see none that has a name. Give its id.'
      : `None of the ${listed.length} that you can see is similar.`);
  return usageError(message, listCommand ? `${first}\n${howToFind(name, candidates, listCommand)}` : first);
}

/** By a part of the name, if the list would find something by it. */
function howToFind(name: string, candidates: readonly string[], listCommand: ListCommand): string {
  const contains = createTextMatch(name);
  return name !== '' && candidates.some(contains)
    ? `To list those that contain it: ${listCommand(name)}`
    : `To list them all: ${listCommand()}`;
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
