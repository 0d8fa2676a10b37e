// Flags whose value is JSON: from the command line, a file or standard input. And the flags of faults and stubs for the response's body.

import { durationFlag } from '#cli/flags/duration-flag.ts';
import { type Flag, integerFlag, lastOf, type ParsedFlags, textFlag } from '#cli/flags/flag.ts';
import { isJsonObject, JsonDepthError, parseJson } from '#contract/json.ts';
import { invalidValue, replaceError } from '#contract/schema.ts';
import { usageError } from '#failure.ts';

export const jsonFlag = (help: string, orElse = ''): Flag<unknown> => ({
  help: `${help}: text, @FILE, or -`,
  placeholder: 'JSON',
  acceptsFile: true,
  parse(values) {
    const text = lastOf(values);
    const problem = () => invalidValue(text, `is not JSON${orElse}`);
    return replaceError(SyntaxError, () => parseJson(text), problem);
  },
});

/** `flag` and `example` are for the error. */
export const jsonObjectFlag = (flag: string, help: string, example: string): Flag<object> => ({
  ...jsonFlag(''),
  help: `${help}: a JSON object, @FILE, or -`,
  parse(values) {
    let why = 'is not a JSON object';
    try {
      const decoded = parseJson(lastOf(values));
      if (isJsonObject(decoded)) return decoded;
    } catch (error) {
      if (error instanceof JsonDepthError) why = `is ${error.message}`;
    }
    throw usageError(`${flag} ${why}`, `For example: ${flag} '${example}'`);
  },
});

export const injectedBodyFlags = {
  jsonBody: jsonFlag('Respond with this JSON', '; --body takes any text'),
  body: { ...textFlag('TEXT', 'Respond with this body: text, @FILE, or -'), acceptsFile: true },
  contentType: textFlag(
    'TYPE',
    'The content type of the body (default: application/json for JSON, else text/plain)',
  ),
  retryAfter: integerFlag('SECONDS', 'Respond with this Retry-After header', 0, 86_400),
  delay: durationFlag('Delay the response by this much'),
} as const;

export function toInjectedBody(flags: ParsedFlags<typeof injectedBodyFlags>) {
  const { jsonBody: json, body, contentType, retryAfter, delay: delayMs } = flags;
  return { body, json, contentType, retryAfter, delayMs };
}
