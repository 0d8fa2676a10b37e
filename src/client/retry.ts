// Decides whether to retry a request, and after which delay. Pure: depends only on its arguments.

import type { Method } from '#contract/operation.ts';
import { retryAfterMs } from '#contract/retry-after.ts';
import type { HttpFault, HttpResponse } from '#world/world.ts';
import { retryAfterFault } from './request-failure.ts';
import { isRateLimited, isTransient } from './response.ts';

export const maxAttempts = 3;
const baseDelayMs = 250;

export interface Attempt {
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

export type RetryDecision =
  | { readonly again: true; readonly afterMs: number }
  | { readonly again: false; readonly waitTooLongMs?: number };

const noRetry: RetryDecision = { again: false };

function isFault(outcome: HttpResponse | HttpFault): outcome is HttpFault {
  return 'fault' in outcome;
}

/**
 * True if a retry may succeed and cannot do harm. POST is not idempotent, so it is retried only if it had no effect.
 * @see [RFC 9110 §9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2)
 */
function isRetryable(method: Method, outcome: HttpResponse | HttpFault): boolean {
  if (!isFault(outcome)) {
    // A rate-limited request had no effect. After a server error, the effect is unknown.
    return isRateLimited(outcome) || (isTransient(outcome.status) && method !== 'POST');
  }
  if (outcome.fault === 'aborted' || retryAfterFault(outcome) !== 'soon') return false;
  return method !== 'POST' || !outcome.sent;
}

/**
 * Delays with exponential backoff and full jitter, and no shorter than `Retry-After`. Does not retry if the delay exceeds the rest of the time
 * limit; `waitTooLongMs` then says what the service asked for.
 */
export function decideRetry({ method, attempt, outcome, remainingMs, now, random }: Attempt): RetryDecision {
  if (attempt >= maxAttempts || !isRetryable(method, outcome)) return noRetry;
  const requestedMs = isFault(outcome) ? 0 : (retryAfterMs(outcome, now) ?? 0);
  // Full jitter: a random delay up to the backoff, so that many failed clients do not return together.
  const afterMs = Math.max(requestedMs, random * baseDelayMs * 2 ** attempt);
  if (afterMs < remainingMs) return { again: true, afterMs };
  return requestedMs < remainingMs ? noRetry : { again: false, waitTooLongMs: requestedMs };
}
