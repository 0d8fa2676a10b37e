// The flags of faults and stubs for the response's body, its type and its delay.

import { durationFlag } from '#cli/flags/duration-flag.ts';
import { type Flag, integerFlag, lastOf, type ParsedFlags, textFlag } from '#cli/flags/flag.ts';
import { parseJson } from '#contract/json.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';

export const jsonFlag = (help: string, orElse = ''): Flag<unknown> => ({
  help: `${help}: text, @FILE, or -`,
  placeholder: 'JSON',
  acceptsFile: true,
  parse(values) {
    const text = lastOf(values);
    try {
      return parseJson(text);
    } catch {
      throw new ValidationError(formatValue(text), `is not JSON${orElse}`);
    }
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

export function toInjectedBody(flags: ParsedFlags<typeof injectedBodyFlags>): object {
  const { jsonBody: json, body, contentType, retryAfter, delay: delayMs } = flags;
  return omitUndefined({ body, json, contentType, retryAfter, delayMs });
}
