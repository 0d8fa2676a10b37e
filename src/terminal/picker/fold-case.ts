// Folds what a user types for comparison with names. Separate from entry.ts, which loads the widths of all characters.

/** Ignores case, and how a letter with a mark is composed, like the filter. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
