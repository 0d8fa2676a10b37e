// Decides whether a failed delivery is retried, and how long the forwarder waits before that, from the arguments alone.

import { omitUndefined } from '#omit-undefined.ts';
import type { Random } from '#world/world.ts';
import type { Attempt } from '../intake/delivery-journal.ts';
import { type AttemptResult, excerptOf } from './target.ts';

const firstDelayMs = 1000;
const maxRetryDelayMs = 5 * 60_000;
const maxProbeDelayMs = 30_000;

export interface RetryLimits {
  /** After this many attempts, a delivery is a dead letter. Earlier runs count; attempts that did not reach the target do not. */
  readonly maxAttempts: number;
  /** While nothing gets through to the target, a delivery is retried for this long instead; `undefined`: only attempts count. */
  readonly retryForMs: number | undefined;
}

/** Returns what the journal records of an attempt. `stalledMs`: {@link Attempt.stalledMs} */
export function judgeAttempt(
  { random, maxAttempts, retryForMs }: RetryLimits & { readonly random: Random },
  result: AttemptResult,
  attempt: number,
  stalledMs: number | undefined,
): Pick<Attempt, 'verdict' | 'detail' | 'delay' | 'stalledMs'> {
  if (result.verdict === 'forwarded') return { verdict: 'forwarded' };
  const detail = result.detail === undefined ? {} : { detail: excerptOf(result.detail) };
  const countsAttempts = retryForMs === undefined || stalledMs === undefined;
  const isLast = countsAttempts ? attempt >= maxAttempts : stalledMs >= retryForMs;
  if (result.verdict !== 'retry' || isLast) return { verdict: 'dead', ...detail };
  const delay = retryDelayMs(attempt, random, result.retryAfterMs);
  return { verdict: 'retry', ...detail, delay, ...omitUndefined({ stalledMs }) };
}

/** From 1: a second, doubling up to 5 minutes. A target may ask for a longer delay up to that, not for a shorter one. */
function retryDelayMs(attempt: number, random: Random, requestedMs = 0): number {
  return Math.max(backoff(attempt, maxRetryDelayMs, random), Math.min(requestedMs, maxRetryDelayMs));
}

/** The delay after the n-th failed probe (from 1) of an unavailable target. */
export function probeDelayMs(probes: number, random: Random): number {
  return backoff(probes, maxProbeDelayMs, random);
}

/** In whole milliseconds. Half is random, so that deliveries that failed together are not all retried at once. */
function backoff(failures: number, maxMs: number, random: Random): number {
  const delay = Math.min(maxMs, firstDelayMs * 2 ** (failures - 1));
  return Math.round(delay / 2 + (random() * delay) / 2);
}
