// Finds a name that occurs twice in one object of a JSON text. The parser silently uses the last one, so that a line with
// two values would send one of them.

import { countOf, endOfString, parseJson } from './json.ts';

/**
 * The first name that one object of this valid JSON text has twice, at any depth. Names are compared as they read:
 * `"a"` and its escape are the same. `value`: what the text was parsed into, where the caller has it.
 */
export function findDuplicateKey(json: string, value?: unknown): string | undefined {
  // Each member has a colon: where there are no more of them than members, the parser has dropped none.
  if (value !== undefined && countOf(json, ':') === countMembers(value)) return undefined;
  /** The names of each object that is open; nothing for a list. */
  const open: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined;
  let awaitsName = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') {
      const from = at;
      at = endOfString(json, from);
      if (!awaitsName || !names) continue;
      const text = json.slice(from + 1, at);
      const name = text.includes('\\') ? String(parseJson(`"${text}"`)) : text;
      if (names.has(name)) return name;
      names.add(name);
      awaitsName = false;
    } else if (character === '{' || character === '[') {
      names = character === '{' ? new Set() : undefined;
      open.push(names);
      awaitsName = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      names = open.at(-1);
    } else if (character === ',') awaitsName = names !== undefined;
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
