// The words of a list as part of a sentence: `a, b and c`, `a, b or c`. British English, so no comma before the last word. Not
// Intl.ListFormat, which takes 6 ms to load: help has such a list in most commands.

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
