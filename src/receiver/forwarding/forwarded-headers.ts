// The headers of a forwarded request: those that the service sent, without what concerns only its own connection to the receiver.

import type { Headers } from '../intake/stored-delivery.ts';

/**
 * Of one connection, or of one message on it; `accept-encoding` says what the receiver of the response can read, and that is us.
 * @see [RFC 9110 §7.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1)
 */
const ofOneConnection = new Set([
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
 * Names in lower case, which HTTP/2 requires and HTTP/1.1 allows. A name that came twice has both values, joined as a recipient
 * may join them. `overrides` replace headers of the same name.
 * @see [RFC 9110 §5.3](https://www.rfc-editor.org/rfc/rfc9110#section-5.3)
 */
export function forwardedHeaders(
  headers: Headers,
  overrides: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((option) => comparable(option.trim()))),
  );
  const replaced = new Set(Object.keys(overrides).map(comparable));
  const forwarded = new Map<string, string>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const compared = comparable(name);
    if (ofOneConnection.has(compared) || named.has(compared) || replaced.has(compared)) continue;
    // What wm says of a delivery must not come from its sender.
    if (compared.startsWith('x-wm-')) continue;
    const before = forwarded.get(lower);
    // Cookies are the one list with another separator (RFC 6265 §5.4).
    const separator = lower === 'cookie' ? '; ' : ', ';
    forwarded.set(lower, before === undefined ? value : before + separator + value);
  }
  for (const [name, value] of Object.entries(overrides)) forwarded.set(name.toLowerCase(), value);
  return Object.fromEntries(forwarded);
}

/** CGI and WSGI make one variable of `X-A` and `x_a`, so a name with the one must not get past a rule for the other. */
export function comparable(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}
