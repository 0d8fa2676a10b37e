// Forwards deliveries to a URL, with the service's bytes and headers, so that the program there can check the signature. Its response is
// hostile text: only the status code counts, and only the beginning is read.

import { retryAfterMs } from '#contract/retry-after.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Http, HttpFault, HttpResponse, World } from '#world/world.ts';
import { type Headers, loopHeader } from '../intake/delivery-journal.ts';
import { type AttemptResult, maxDetailCharacters, type Target, targetName } from './target.ts';

export interface HttpTargetOptions {
  /** A URL that {@link checkTargetUrl} has accepted. */
  readonly url: string;
  /** Headers that replace the delivery's. */
  readonly headers: Readonly<Record<string, string>>;
  /** The Host header and, for https, the name on the certificate: `host` or `host:port`. */
  readonly host?: string | undefined;
  readonly timeoutMs: number;
  readonly connections: number;
}

/** `http` trusts the certificates that the target needs. */
export function createHttpTarget(
  { http, clock }: Pick<World, 'http' | 'clock'>,
  { url, headers, host, timeoutMs, connections }: HttpTargetOptions,
): Target {
  let pooled: Promise<Http> | undefined;
  const address = host === undefined ? { url, options: {} } : withHost(url, host);
  return {
    name: targetName(url),
    async send(delivery, attempt, signal, mayRepeat = false) {
      // Loaded with the first delivery, so that the receiver is ready sooner.
      pooled ??= http.withConnections?.(connections) ?? Promise.resolve(http);
      const request = {
        method: 'POST',
        url: address.url,
        headers: {
          ...forwardedHeaders(delivery.headers, headers),
          'x-wm-delivery': String(delivery.sequence),
          'x-wm-attempt': String(attempt),
          ...(mayRepeat ? { 'x-wm-redelivered': '1' } : {}),
        },
        body: delivery.body,
      };
      const limits = { timeoutMs, maxBytes: maxExcerptBytes, cutsLongBody: true, signal } as const;
      const started = clock.monotonic();
      const result = await (await pooled).send(request, { ...limits, ...address.options });
      const milliseconds = Math.round(clock.monotonic() - started);
      return {
        ...('fault' in result ? judgeFault(result) : judgeResponse(result, clock.now())),
        milliseconds,
      };
    },
  };
}

type Judgement = Omit<AttemptResult, 'milliseconds'>;

/** A character has up to four bytes. */
const maxExcerptBytes = 4 * maxDetailCharacters;

function judgeResponse(response: HttpResponse, now: number): Judgement {
  const { status, headers, body } = response;
  const location = status >= 300 && status < 400 ? headers['location'] : undefined;
  const text =
    location === undefined
      ? new TextDecoder().decode(body)
      : `redirects to ${location}; redirects are not followed`;
  const wait = retryAfterMs(response, now);
  return {
    verdict: status >= 200 && status < 300 ? 'forwarded' : 'retry',
    outcome: String(status),
    ...(text === '' ? {} : { detail: text.slice(0, maxDetailCharacters) }),
    ...omitUndefined({ retryAfterMs: wait }),
  };
}

function judgeFault({ fault, sent, detail }: HttpFault): Judgement {
  // Malformed headers are a fault of this delivery alone.
  const isUnavailable = !sent && fault !== 'malformed';
  return {
    verdict: isUnavailable ? 'unavailable' : 'retry',
    outcome: fault,
    detail: detail.slice(0, maxDetailCharacters),
  };
}

/** The request names `host`, and still goes to the address of the URL. */
function withHost(url: string, host: string) {
  const { protocol, hostname, port } = new URL(url);
  const connectTo = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
  return {
    url: url.replace(/^(https?:\/\/)[^/?#]*/i, (_, scheme: string) => scheme + host),
    options: { connectTo },
  };
}

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
