// What an answer to a question for a yes or no means.

/** Nothing where it means neither; Enter alone is a no. */
export function parseYesNo(answer: string): boolean | undefined {
  const said = answer.trim();
  if (/^y(?:es)?$/i.test(said)) return true;
  return /^(?:no?)?$/i.test(said) ? false : undefined;
}
