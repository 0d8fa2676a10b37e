// Finds a name that occurs twice in an object of a JSON text. The parser silently uses the last value, so the other would be
// ignored.

import { countOccurrences, endOfString, parseJson } from './json.ts';

/**
 * Returns the first name that an object of this valid JSON text has twice, at any depth. Names are compared without escapes.
 * `value`: the parsed text, if the caller has it.
 */
export function findDuplicateKey(json: string, value?: unknown): string | undefined {
  // Each member has a colon. With as many colons as members, the parser has dropped none.
  if (value !== undefined && countOccurrences(json, ':') === countMembers(value)) return undefined;
  /** The names of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined;
  let expectsName = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '"') {
      const from = index;
      index = endOfString(json, from);
      if (!expectsName || !names) continue;
      const text = json.slice(from + 1, index);
      const name = text.includes('\\') ? String(parseJson(`"${text}"`)) : text;
      if (names.has(name)) return name;
      names.add(name);
      expectsName = false;
    } else if (character === '{' || character === '[') {
      names = character === '{' ? new Set() : undefined;
      open.push(names);
      expectsName = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      names = open.at(-1);
    } else if (character === ',') expectsName = names !== undefined;
  }
  return undefined;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) if (typeof part === 'object') count += countMembers(part);
  return count;
}
