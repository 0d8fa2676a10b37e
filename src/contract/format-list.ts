// Joins words for a sentence: `a, b and c`, `a, b or c`. British English, so without a comma before the last word. Intl.ListFormat
// would take 6 ms to load in the help of most commands.

export function joinWithAnd(words: readonly string[]): string {
  return join(words, 'and');
}

export function joinWithOr(words: readonly string[]): string {
  return join(words, 'or');
}

function join(words: readonly string[], conjunction: string): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)]
    .filter((part) => part !== '')
    .join(` ${conjunction} `);
}
