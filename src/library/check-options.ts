// Checks the options of the library's functions: a JavaScript program has no compiler to report a misspelt or wrong one.

import { isJsonObject } from '#contract/json.ts';
import { formatValue } from '#contract/schema.ts';

type OptionType = 'function' | 'boolean' | 'number' | 'string' | 'any';

/** Throws what `toError` makes of the problem. Quotes no value: one of them may be a secret. */
export function checkOptions<O extends object>(
  owner: string,
  types: { readonly [K in keyof O]-?: OptionType },
  options: O,
  toError: (message: string) => Error,
): void {
  if (!isJsonObject(options)) throw toError(`The options of ${owner} are not an object`);
  const rows = new Map<string, OptionType>(Object.entries(types));
  for (const [name, value] of Object.entries(options)) {
    const type = rows.get(name);
    const names = [...rows.keys()].join(', ');
    if (type === undefined) throw toError(`${formatValue(name)} is not an option of ${owner}: ${names}`);
    const isRight = type === 'any' || (typeof value === type && (typeof value !== 'number' || value >= 0));
    const range = type === 'number' ? ', 0 or more' : '';
    if (value !== undefined && !isRight) throw toError(`${owner}: ${name} is not a ${type}${range}`);
  }
}
