// A flag whose value is a JSON object: from the command line, a file or standard input.

import { type Flag, lastOf } from '#cli/flags/flag.ts';
import { JsonDepthError, parseJson } from '#contract/json.ts';
import { usageError } from '#failure.ts';

/** `flag` and `example` are for the error. */
export function jsonObjectFlag(flag: string, help: string, example: string): Flag<object> {
  return {
    help: `${help}: a JSON object, @FILE, or -`,
    placeholder: 'JSON',
    acceptsFile: true,
    parse(values) {
      let why = 'is not a JSON object';
      try {
        const decoded = parseJson(lastOf(values));
        if (typeof decoded === 'object' && decoded !== null && !Array.isArray(decoded)) return decoded;
      } catch (error) {
        if (error instanceof JsonDepthError) why = `is ${error.message}`;
      }
      throw usageError(`${flag} ${why}`, `For example: ${flag} '${example}'`);
    },
  };
}
