// Reads Retry-After, from the service and from programs behind the receiver.

/** One year. */
const maxRetryAfterMs = 31_536_000_000;

/**
 * Returns milliseconds, at most a year; undefined if the header is absent or invalid. `now`: milliseconds since 1970, for a
 * header with a date.
 * @see [RFC 9110 §10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)
 */
export function retryAfterMs(
  response: { readonly headers: Readonly<Record<string, string>> },
  now: number,
): number | undefined {
  const header = response.headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1000, maxRetryAfterMs);
  // `Date.parse` also accepts `-5`.
  const date = /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), maxRetryAfterMs);
}
