// How a text that a person typed is compared with names: in any case, and in either form of accented letters, since a file from
// macOS has them decomposed.

export function foldName(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** How a list is filtered by a part of a title or a name. Without a text, everything matches. */
export function createTextMatch(text: string | undefined): (value: string | undefined) => boolean {
  const wanted = text === undefined ? undefined : foldName(text);
  return (value) => wanted === undefined || (value !== undefined && foldName(value).includes(wanted));
}
