// Finds a name that occurs twice in one object of a JSON text. The parser silently uses the last one, so that a line with
// two values would send one of them.

import { endOfString, parseJson } from './json.ts';

/**
 * The first name that one object of this valid JSON text has twice, at any depth. Names are compared as they read:
 * `"a"` and its escape are the same.
 */
export function findDuplicateKey(json: string): string | undefined {
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
      const name = String(parseJson(json.slice(from, at + 1)));
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
