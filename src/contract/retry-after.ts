// Reads Retry-After, from the service and from programs behind the receiver.

const dayMs = 86_400_000;
const maxRetryAfterMs = 365 * dayMs;

/**
 * Returns milliseconds, at most a year; undefined if the header is absent or invalid, or asks for no wait. Counts a date from the
 * response's Date: the sender's clock may be off. `now`: milliseconds since 1970. Never wait less than without the header.
 * @see [RFC 9110 §10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)
 */
export function retryAfterMs(
  { headers }: { readonly headers: Readonly<Record<string, string>> },
  now: number,
): number | undefined {
  const header = headers['retry-after']?.trim() ?? '';
  const sentAt = parseHttpDate(headers['date']);
  const fromDate = Math.abs(sentAt - now) <= dayMs ? parseHttpDate(header) - sentAt : Number.NaN;
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : fromDate;
  return waitMs > 0 ? Math.min(waitMs, maxRetryAfterMs) : undefined;
}

/** NaN for anything else. `Date.parse` also accepts `-5`, and takes a date without a zone as local time. */
function parseHttpDate(header = ''): number {
  const [date] = /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d.*/.exec(header.trim()) ?? [''];
  return Date.parse(/:\d\d( \d{4})?$/.test(date) ? `${date} GMT` : date);
}
