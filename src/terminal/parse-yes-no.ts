// Parses the answer to a yes-or-no question.

/** Nothing where it means neither; Enter alone is a no. */
export function parseYesNo(answer: string): boolean | undefined {
  const trimmed = answer.trim();
  if (/^y(?:es)?$/i.test(trimmed)) return true;
  return /^(?:no?)?$/i.test(trimmed) ? false : undefined;
}
