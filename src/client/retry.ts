// When a request is sent again, and how long to wait before. Pure: given what came, it decides.

import type { Method } from '../contract/operation.ts';
import type { HttpFault, HttpResponse } from '../world/world.ts';
import { isRateLimited, isTransient } from './response.ts';

export const maxAttempts = 3;
const baseDelayMs = 250;
/** A year is as good as for ever, and still a number that can be shown. */
const maxRetryAfterMs = 31_536_000_000;

export interface Attempt {
  readonly method: Method;
  /** 1 for the first. */
  readonly attempt: number;
  readonly outcome: HttpResponse | HttpFault;
  /** What is left of the command's time. */
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

/** `Retry-After` in milliseconds: seconds, or a date. */
export function retryAfterMs(answer: HttpResponse, now: number): number | undefined {
  const header = answer.headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1000, maxRetryAfterMs);
  // `Date.parse` would take `-5` for a date too.
  const date = /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), maxRetryAfterMs);
}

function isFault(outcome: HttpResponse | HttpFault): outcome is HttpFault {
  return 'fault' in outcome;
}

/** Whether it may work next time, and whether asking again can do no harm. */
function isRetryable(method: Method, outcome: HttpResponse | HttpFault): boolean {
  if (!isFault(outcome)) {
    // What the limit refused did nothing. After the others nobody knows, so a POST that creates is not repeated.
    return isRateLimited(outcome) || (isTransient(outcome.status) && method !== 'POST');
  }
  if (outcome.fault === 'tls' || outcome.fault === 'address-not-allowed' || outcome.fault === 'too-large')
    return false;
  if (outcome.fault === 'aborted') return false;
  return method !== 'POST' || !outcome.sent;
}

export function decideRetry({
  method,
  attempt,
  outcome,
  remainingMs: leftMs,
  now,
  random,
}: Attempt): RetryDecision {
  if (attempt >= maxAttempts || !isRetryable(method, outcome)) return noRetry;
  const requestedMs = isFault(outcome) ? undefined : retryAfterMs(outcome, now);
  // Full jitter: anywhere between nothing and the doubled pause, so that many who failed together do not return together.
  const afterMs = requestedMs ?? random * baseDelayMs * 2 ** attempt;
  if (afterMs < leftMs) return { again: true, afterMs };
  return requestedMs === undefined ? noRetry : { again: false, waitTooLongMs: requestedMs };
}
