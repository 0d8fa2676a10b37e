// Compares typed text with names: ignoring case, and in either form of accented letters, which files from macOS have decomposed.

export function foldName(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Matches a part of a title or a name. Without a text, everything matches. */
export function createTextMatch(text: string | undefined): (value: string | undefined) => boolean {
  const searchText = text === undefined ? undefined : foldName(text);
  return (value) => searchText === undefined || (value !== undefined && foldName(value).includes(searchText));
}
