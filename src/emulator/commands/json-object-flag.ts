// A flag whose value is a JSON object: typed, from a file or from standard input.

import { type Flag, lastOf } from '#cli/flags/flag.ts';
import { JsonDepthError, parseJson } from '#contract/json.ts';
import { usageError } from '#failure.ts';

/** `flag` and `example` are for the person who typed something else. */
export function jsonObjectFlag(flag: string, help: string, example: string): Flag<object> {
  return {
    help: `${help}: a JSON object, @FILE, or -`,
    placeholder: 'JSON',
    acceptsFile: true,
    parse(given) {
      let what = 'is not a JSON object';
      try {
        const decoded = parseJson(lastOf(given));
        if (typeof decoded === 'object' && decoded !== null && !Array.isArray(decoded)) return decoded;
      } catch (error) {
        if (error instanceof JsonDepthError) what = `is ${error.message}`;
      }
      throw usageError(`${flag} ${what}`, `For example: ${flag} '${example}'`);
    },
  };
}
