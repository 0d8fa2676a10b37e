// Decides whether a failed delivery is retried, and how long the forwarder waits before that, from the arguments alone.

import { omitUndefined } from '#omit-undefined.ts';
import type { Random } from '#world/world.ts';
import type { Attempt } from '../intake/delivery-journal.ts';
import { type AttemptResult, excerptOf } from './target.ts';

const firstDelayMs = 1000;
const maxRetryDelayMs = 5 * 60_000;

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
  // A target may ask for a longer delay, up to the longest, not for a shorter one.
  const requestedMs = Math.min(result.retryAfterMs ?? 0, maxRetryDelayMs);
  const delay = Math.max(backoff(attempt, maxRetryDelayMs, random), requestedMs);
  return { verdict: 'retry', ...detail, delay, ...omitUndefined({ stalledMs }) };
}

/**
 * In whole milliseconds: a second after the first failure, then doubled. Half is random, so that deliveries that failed together are not
 * all retried at once.
 */
export function backoff(failures: number, maxMs: number, random: Random): number {
  const delay = Math.min(maxMs, firstDelayMs * 2 ** (failures - 1));
  return Math.round(delay / 2 + (random() * delay) / 2);
}
