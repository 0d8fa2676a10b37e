// Indents JSON without changing its values: parsing and printing it would round long numbers and drop duplicate names.

import { parseJsonIfValid, readTokens } from './json.ts';

/** `undefined` if the text is not JSON. */
export function reindentJson(text: string): string | undefined {
  if (text.trim() !== 'null' && parseJsonIfValid(text) == null) return undefined;
  let indented = '';
  let level = 0;
  let previous = '';
  for (const token of readTokens(text)) {
    const isFirst = previous === '{' || previous === '[';
    const closes = token === '}' || token === ']';
    if (closes) level--;
    // An empty list or object has no line break.
    if (closes !== isFirst || previous === ',') indented += `\n${'  '.repeat(level)}`;
    indented += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') level++;
    previous = token;
  }
  return indented;
}
