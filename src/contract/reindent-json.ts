// Indents JSON without changing its values. Parsing and printing it would round long numbers and drop duplicate names, so the
// user would not see what the service sent.

import { endOfString, parseJsonIfValid } from './json.ts';

/** `undefined` if the text is not JSON. */
export function reindentJson(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed !== 'null' && parseJsonIfValid(trimmed) == null) return undefined;
  const parts: string[] = [];
  let level = 0;
  const breakLine = () => `\n${'  '.repeat(level)}`;
  for (let index = 0; index < trimmed.length; ) {
    const character = trimmed.charAt(index);
    let end = index + 1;
    if (character === '"') {
      end = endOfString(trimmed, index) + 1;
      parts.push(trimmed.slice(index, end));
    } else if (character === '{' || character === '[') {
      const next = nextVisible(trimmed, end);
      if (trimmed[next] === '}' || trimmed[next] === ']') {
        parts.push(character, trimmed.charAt(next));
        end = next + 1;
      } else {
        level++;
        parts.push(character, breakLine());
      }
    } else if (character === '}' || character === ']') {
      level--;
      parts.push(breakLine(), character);
    } else if (character === ',') parts.push(',', breakLine());
    else if (character === ':') parts.push(': ');
    else if (character.trim() !== '') parts.push(character);
    index = end;
  }
  return parts.join('');
}

function nextVisible(text: string, from: number): number {
  let index = from;
  while (index < text.length && text.charAt(index).trim() === '') index++;
  return index;
}
