// The words of closed lists in whatever case they are typed: `completed`, `TASKCREATED`. The service knows one case alone,
// so they become its own words here, before anything is checked. Free text and ids stay as they are.

import { parseJsonIfValid } from '../contract/json.ts';
import type { Schema } from '../contract/schema.ts';

/** The same kind, which takes the words of its closed lists in any case, also inside lists and JSON. */
export function caseInsensitive<T>(kind: Schema<T>): Schema<T> {
  const check = (input: unknown): T => kind.validate(toCanonicalCase(kind, input));
  const fromWire = (text: string): T => {
    if (kind.wireFormat === 'text')
      return kind.fromWire(kind.choices ? matchChoices(kind.choices, text) : text);
    const decoded = parseJsonIfValid(text);
    return decoded === undefined ? kind.fromWire(text) : check(decoded);
  };
  return { ...kind, validate: check, fromWire };
}

function toCanonicalCase(kind: Schema<unknown>, input: unknown): unknown {
  if (typeof input === 'string') return kind.choices ? matchChoices(kind.choices, input) : input;
  if (Array.isArray(input)) {
    const { item } = kind;
    return item ? input.map((one: unknown) => toCanonicalCase(item, one)) : input;
  }
  const { shape } = kind;
  if (typeof input !== 'object' || input === null || shape === undefined) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, member]: [string, unknown]) => {
      const row = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, row ? toCanonicalCase(row, member) : member];
    }),
  );
}

/** One word, or several with commas between them. */
function matchChoices(choices: readonly string[], text: string): string {
  return text
    .split(',')
    .map((word) => choices.find((one) => one.toLowerCase() === word.trim().toLowerCase()) ?? word)
    .join(',');
}
