// The brief description in a task's record: the first characters of the description, without tags. It is cached, because most updates
// do not change the description, and reading HTML takes longer than the rest of the record.

import { toPlainText } from '../html/sanitize.ts';

export type BriefDescription = (description: string) => string;

const briefCharacters = 250;
/** Longer descriptions are cut before conversion: they would make every list slow. */
const readCharacters = briefCharacters * 20;
/** Each with up to {@link readCharacters}: at most 20 MB, in practice far less. */
const maxCached = 1_000;

function shorten(description: string): string {
  const plain = toPlainText(description.slice(0, readCharacters));
  if (plain.length <= briefCharacters) return plain;
  const characters = [...plain];
  return characters.length <= briefCharacters ? plain : `${characters.slice(0, briefCharacters).join('')}...`;
}

export function createBriefDescription(): BriefDescription {
  const cache = new Map<string, string>();
  return (description) => {
    if (description === '') return '';
    if (description.length > readCharacters) return shorten(description);
    const cached = cache.get(description);
    if (cached !== undefined) return cached;
    const brief = shorten(description);
    if (cache.size >= maxCached) cache.clear();
    cache.set(description, brief);
    return brief;
  };
}
