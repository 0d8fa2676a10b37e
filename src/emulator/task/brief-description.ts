// The brief description in a task's record: the first characters of the description, without tags. It is cached, because most updates
// do not change the description, and reading HTML takes longer than the rest of the record.

import { toPlainText } from '../html/sanitize.ts';

export type BriefDescription = (description: string) => string;

const briefCharacters = 125;
/** Of a longer description no more is converted than the brief one needs: it would make every list slow. */
const readCharacters = briefCharacters * 20;
/** A tag or an entity that a cut has left without its end. Both are escaped in texts and attributes. */
const unfinished = /(?:<[^>]*|&[^;\s&<]{0,10})$/;
/** Each with up to {@link readCharacters}: at most 20 MB, in practice far less. */
const maxCached = 1_000;

function shorten(description: string): string {
  for (let length = readCharacters; ; length *= 2) {
    const isWhole = description.length <= length;
    const plain = toPlainText(isWhole ? description : description.slice(0, length).replace(unfinished, ''));
    const characters = plain.length > briefCharacters ? [...plain] : [];
    if (characters.length > briefCharacters) return `${characters.slice(0, briefCharacters).join('')}...`;
    if (isWhole) return plain;
  }
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
