// The brief description in a task's record: the first characters of the description without its tags. It is remembered, since
// most changes of a task leave its description alone, and reading HTML takes longer than all else in a record.

import { toPlainText } from '../html/sanitize.ts';

/** Gives the brief form of a description. */
export type BriefDescription = (description: string) => string;

const briefCharacters = 250;
/** Converting the whole of a long description would make every list slow. */
const readCharacters = briefCharacters * 20;
/** Of descriptions up to {@link readCharacters}; at most 20 MB, and far less as people write them. */
const maxRemembered = 1_000;

function shorten(description: string): string {
  const plain = toPlainText(description.slice(0, readCharacters));
  if (plain.length <= briefCharacters) return plain;
  const text = [...plain];
  return text.length <= briefCharacters ? plain : `${text.slice(0, briefCharacters).join('')}...`;
}

export function createBriefDescription(): BriefDescription {
  const known = new Map<string, string>();
  return (description) => {
    if (description === '') return '';
    if (description.length > readCharacters) return shorten(description);
    const before = known.get(description);
    if (before !== undefined) return before;
    const brief = shorten(description);
    if (known.size >= maxRemembered) known.clear();
    known.set(description, brief);
    return brief;
  };
}
