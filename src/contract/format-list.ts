// The words of a list as part of a sentence: `a, b and c`, `a, b or c`. British English, so no comma before the last word.

const locale = 'en-GB';

export function joinWithAnd(words: readonly string[]): string {
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(words);
}

export function joinWithOr(words: readonly string[]): string {
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(words);
}
