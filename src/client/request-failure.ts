// Decides after a request without a usable response whether to retry it, and describes its failure: what was sent, whether the change
// may have been made, and what to do. Pure.

import type { Method } from '#contract/operation.ts';
import { retryAfterMs } from '#contract/retry-after.ts';
import { Failure, type FailureMeaning } from '#failure.ts';
import { tlsProblem } from '#tls-problems.ts';
import type { HttpFault, HttpResponse } from '#world/world.ts';
import { requestName, type WireRequest } from './request.ts';
import { isRateLimited, isTransient, responseFailure } from './response.ts';

type RequestLine = Pick<WireRequest, 'method' | 'target'>;

/** Returns the failure of a change with an unknown outcome. `cause`: what arrived instead of a usable response. */
export function outcomeUnknown(request: RequestLine, cause: Failure): Failure {
  return new Failure('outcome_unknown', {
    message: `The outcome of ${requestName(request)} is unknown: it was sent, but no usable response came`,
    why: cause.sentence,
    hint: 'Read the record before you send the request again.',
    httpStatus: cause.httpStatus,
    cause,
  });
}

const maxTimeoutSeconds = 86_400;

/** Explains why a request does not wait for its `Retry-After` of `waitMs` milliseconds, and what to do instead. */
export function exceedsTimeout(waitMs: number): { why: string; hint: string } {
  const wait = Math.ceil(waitMs / 1000);
  const longer = wait + 30 > maxTimeoutSeconds ? '' : `, or allow more time: --timeout ${wait + 30}`;
  return {
    why: `the service asks to wait ${wait} s, which is longer than the rest of the time limit`,
    hint: `Run it again in ${wait} s${longer}`,
  };
}

/** `outcomeIsUnknown`: an attempt may have made the change. `rateLimit`: why it did not wait for a rate limit, and what to do. */
export function requestFailure(
  request: RequestLine,
  outcome: HttpResponse | HttpFault,
  outcomeIsUnknown: boolean,
  rateLimit?: { readonly why?: string | undefined; readonly hint?: string },
): Failure {
  const cause = 'fault' in outcome ? failureFromFault(outcome) : responseFailure(outcome);
  if (outcomeIsUnknown) return outcomeUnknown(request, cause);
  // Only for changes: a read never changes anything. Not "nothing": the command may have sent others.
  if (request.method !== 'GET' && 'fault' in outcome)
    return cause.with({ hint: `The request changed nothing. ${cause.hint ?? ''}`.trimEnd(), cause });
  return rateLimit && cause.code === 'rate_limited' ? cause.with(rateLimit) : cause;
}

interface FaultMeaning extends Pick<FailureMeaning, 'retry'> {
  readonly message: string;
  readonly hint?: string;
}

/** docs/decisions/failures.md explains these choices. */
export const faultMeanings: Readonly<Record<HttpFault['fault'], FaultMeaning>> = {
  'connection-refused': { message: 'Connection refused', retry: 'soon' },
  unreachable: { message: 'The host cannot be reached', retry: 'soon' },
  tls: { message: 'Cannot establish a trusted connection to the host', retry: 'later' },
  proxy: { message: 'The proxy did not connect', retry: 'soon' },
  'address-not-allowed': { message: 'The address is not allowed', retry: 'later' },
  timeout: {
    message: 'No response in time',
    retry: 'soon',
    hint: 'Allow more time with --timeout SECONDS, or try again.',
  },
  reset: { message: 'The connection was broken', retry: 'soon' },
  'too-large': { message: 'The response is too large', retry: 'never' },
  malformed: { message: 'The response is not HTTP', retry: 'soon' },
  aborted: { message: 'Interrupted', retry: 'soon' },
};

/** Returns `soon` if waiting may help. */
function retryAfterFault({ fault, mayPass }: HttpFault): FailureMeaning['retry'] {
  return mayPass === undefined ? faultMeanings[fault].retry : mayPass ? 'soon' : 'later';
}

/** For plain HTTP, which only a loopback host gets: a server of https closes the connection, or responds with an alert of TLS. */
function httpsHint({ fault, url = '', arrived }: HttpFault): string | undefined {
  return !arrived && url.startsWith('http:') && (fault === 'reset' || fault === 'malformed')
    ? `If the emulator serves https, put https:// before its host: https://${new URL(url).host}`
    : undefined;
}

/** Turns a connection fault into a Failure. The caller decides whether a change was made. */
export function failureFromFault(outcome: HttpFault): Failure {
  const { fault, detail: why, tlsCode } = outcome;
  const proxyHint = why.endsWith(' 407')
    ? 'The proxy requires a user name and a password: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT'
    : 'Check the connection, HTTPS_PROXY and the host, then run it again.';
  const other = httpsHint(outcome) ?? proxyHint;
  const { message, hint = tlsProblem(tlsCode)?.hint ?? other } = faultMeanings[fault];
  if (fault === 'too-large') return new Failure('too_large', { message, why });
  return new Failure('network', { message, why, hint, retry: retryAfterFault(outcome) });
}

const maxAttempts = 3;
const baseDelayMs = 250;

interface Attempt {
  readonly method: Method;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly outcome: HttpResponse | HttpFault;
  /** The rest of the request's time limit, in milliseconds. */
  readonly remainingMs: number;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly now: number;
  /** From 0 to 1, for the jitter. */
  readonly random: number;
}

type RetryDecision =
  | { readonly again: true; readonly afterMs: number }
  | { readonly again: false; readonly waitTooLongMs?: number };

const noRetry: RetryDecision = { again: false };

/** True if a retry cannot do harm: POST only if it had no effect. @see [RFC 9110 §9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2) */
function isRetryable(method: Method, outcome: HttpResponse | HttpFault): boolean {
  // A rate-limited request had no effect. After a server error, the effect is unknown.
  if ('status' in outcome)
    return isRateLimited(outcome) || (isTransient(outcome.status) && method !== 'POST');
  if (outcome.fault === 'aborted' || retryAfterFault(outcome) !== 'soon') return false;
  return method !== 'POST' || !outcome.sent;
}

/** Exponential backoff with full jitter, no shorter than `Retry-After`. `waitTooLongMs`: what the service asked for, if too long. */
export function decideRetry({ method, attempt, outcome, remainingMs, now, random }: Attempt): RetryDecision {
  if (attempt >= maxAttempts || !isRetryable(method, outcome)) return noRetry;
  const requestedMs = 'fault' in outcome ? 0 : (retryAfterMs(outcome, now) ?? 0);
  // Full jitter: a random delay up to the backoff, so that many failed clients do not return together.
  const afterMs = Math.max(requestedMs, random * baseDelayMs * 2 ** attempt);
  if (afterMs < remainingMs) return { again: true, afterMs };
  return requestedMs < remainingMs ? noRetry : { again: false, waitTooLongMs: requestedMs };
}
