// Forwards deliveries to a URL, with the service's bytes and headers, so that the program there can check the signature. Its response is
// hostile text: only the status code counts, and only the beginning is read.

import { retryAfterMs } from '#contract/retry-after.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Http, HttpFault, HttpResponse, World } from '#world/world.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { type AttemptResult, maxDetailCharacters, type Target } from './target.ts';
import { targetName } from './target-url.ts';

export interface HttpTargetOptions {
  /** A URL that {@link checkTargetUrl} has accepted. */
  readonly url: string;
  /** Headers that replace the delivery's. */
  readonly headers: Readonly<Record<string, string>>;
  /** The Host header and, for https, the name on the certificate: `host` or `host:port`. */
  readonly host?: string | undefined;
  readonly timeoutMs: number;
  /** Attempts at a time. */
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
