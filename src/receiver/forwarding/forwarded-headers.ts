// Builds the headers of a forwarded request: the service's own, except those for its connection to the receiver.

import { type Headers, loopHeader } from '../intake/stored-delivery.ts';

/**
 * Headers of one connection or message. `accept-encoding` describes the reader of the response, which is wm.
 * @see [RFC 9110 §7.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1)
 */
const connectionHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Writes names in lower case, which HTTP/2 requires and HTTP/1.1 allows. Joins the values of a repeated name, as a recipient may.
 * `overrides` replace headers of the same name, and add to the {@link loopHeader}.
 * @see [RFC 9110 §5.3](https://www.rfc-editor.org/rfc/rfc9110#section-5.3)
 */
export function forwardedHeaders(
  headers: Headers,
  overrides: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const hopByHop = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((option) => comparable(option.trim()))),
  );
  const replaced = new Set(Object.keys(overrides).map(comparable));
  const forwarded = new Map<string, string>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const compared = comparable(name);
    if (connectionHeaders.has(compared) || hopByHop.has(compared) || replaced.has(compared)) continue;
    // A sender must not forge wm's own headers.
    if (compared.startsWith('x-wm-')) continue;
    const earlierValue = forwarded.get(lower);
    // Only cookies have another separator (RFC 6265 §5.4).
    const separator = lower === 'cookie' ? '; ' : ', ';
    forwarded.set(lower, earlierValue === undefined ? value : earlierValue + separator + value);
  }
  for (const [name, value] of Object.entries(overrides)) forwarded.set(name.toLowerCase(), value);
  const earlierLoops = headers.flatMap(([name, value]) => (name.toLowerCase() === loopHeader ? [value] : []));
  const ownLoop = overrides[loopHeader];
  if (ownLoop !== undefined) forwarded.set(loopHeader, [...earlierLoops, ownLoop].join(', '));
  return Object.fromEntries(forwarded);
}

/** CGI and WSGI turn `X-A` and `x_a` into the same variable, so a rule for one must cover the other. */
export function comparable(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}
