// Finds items by name, and creates the errors for an unknown name (with suggestions) and for an ambiguous one.

import { didYouMean } from '#contract/did-you-mean.ts';
import { formatValue } from '#contract/schema.ts';
import { type Failure, usageError } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { type FormatContext, flagWords, formatCommandWith } from '../format-command.ts';
import { createTextMatch, foldName } from './text-match.ts';

/** The items with exactly this name; otherwise with the same name in normalized form, or ignoring case. */
export function findByName<T>(items: readonly T[], name: string, nameOf: (item: T) => string | undefined) {
  const matching = (normalize: (text: string) => string, text = name) =>
    items.filter((item) => {
      const itemName = nameOf(item);
      return itemName !== undefined && normalize(itemName) === normalize(text);
    });
  const exact = matching((text) => text);
  if (exact.length > 0) return exact;
  const composed = matching((text) => text.normalize('NFC'));
  return composed.length > 0 ? composed : matching(foldName, name.trim());
}

const maxListed = 20;

interface NameNotFoundOptions {
  /** The names to list if no candidate is similar; by default the candidates. */
  readonly listed?: readonly string[];
  readonly listCommand?: ListCommand | undefined;
}

/** `kind`: `a custom field`. */
export function nameNotFound(
  flag: string | undefined,
  name: string,
  kind: string,
  candidates: readonly string[],
  { listed = candidates, listCommand }: NameNotFoundOptions = {},
): Failure {
  const message = `${flagPrefix(flag)}${formatValue(name)} is not ${kind}`;
  const near = didYouMean(name, candidates, formatValue);
  if (near === undefined && listed.length > 0 && listed.length <= maxListed)
    return usageError(message, `Available: ${listed.map(showName).join(', ')}`);
  const first =
    near ??
    (listed.length === 0
      ? 'None that you can see has a name. Give the id.'
      : `None of the ${listed.length} that you can see is similar.`);
  return usageError(message, listCommand ? `${first}\n${howToFind(name, candidates, listCommand)}` : first);
}

/** Quotes a blank name, which the service accepts. */
const showName = (name: string) => (name.trim() === '' ? formatValue(name) : sanitizeLine(name));

function flagPrefix(flag: string | undefined): string {
  return flag === undefined ? '' : `--${flag}: `;
}

/** Searches for a part of the name, if the list would find any. */
function howToFind(name: string, candidates: readonly string[], listCommand: ListCommand): string {
  const contains = createTextMatch(name);
  return name !== '' && candidates.some(contains)
    ? `To list the names that contain it: ${listCommand(name)}`
    : `To list them all: ${listCommand()}`;
}

/** The error if several candidates have the name; shows each with what distinguishes it. */
export function ambiguousName(
  flag: string | undefined,
  name: string,
  kind: string,
  candidates: readonly string[],
): Failure {
  return usageError(
    `${flagPrefix(flag)}${formatValue(name)} is the name of ${candidates.length} ${kind}`,
    `Give the id instead:\n${candidates.map((candidate) => `  ${sanitizeLine(candidate)}`).join('\n')}`,
  );
}

/** `text`: list only names that contain it. */
type ListCommand = (text?: string) => string;

/** `words`: of the list command, `folder list`. `flag`: filters by a part of the name, `title`. */
export function createListCommand(context: FormatContext, words: string, flag: string): ListCommand {
  return (text) => formatCommandWith(context, words, [], ...flagWords(`--${flag}`, text));
}
