// Compares typed text with names: in any case, and in either form of accented letters, which files from macOS have
// decomposed.

export function foldName(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Matches a part of a title or a name. Without a text, everything matches. */
export function createTextMatch(text: string | undefined): (value: string | undefined) => boolean {
  const wanted = text === undefined ? undefined : foldName(text);
  return (value) => wanted === undefined || (value !== undefined && foldName(value).includes(wanted));
}
