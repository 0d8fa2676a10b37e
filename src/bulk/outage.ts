// Pauses all workers together while requests do not get through; each then sends its row again until it is certain that
// the request left this machine. After a minute without any response the run ends, rather than failing row by row.

import type { Clock, TimeLimit } from '../world/world.ts';
import type { Outcome } from './outcome.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { ValidRow } from './row.ts';

type NotSent = Extract<Outcome<unknown>, { kind: 'not-sent' }>;

export interface Outage<U, R> {
  /**
   * Sends a row again whose first attempt did not get through. The caller has acquired the rate limiter, and still has it
   * afterwards. Never rejects.
   */
  retry(row: ValidRow<U>, first: NotSent): Promise<Outcome<R>>;
  /** Call it for each response: the outage is over. */
  end(): void;
}

export interface OutageOptions<U, R> {
  /** One attempt. Never rejects. */
  send(row: ValidRow<U>): Promise<Outcome<R>>;
  readonly rateLimiter: Pick<RateLimiter, 'acquire' | 'release' | 'forceAcquire' | 'pause'>;
  readonly clock: Pick<Clock, 'limit'>;
  /** Ends the retries. */
  readonly stop: AbortSignal;
}

/** Without any response for so long, there is no hope for the other rows. */
const outageLimitMs = 60_000;
const firstBackoffMs = 500;
const maxBackoffMs = 10_000;

export function createOutage<U, R>({ send, rateLimiter, clock, stop }: OutageOptions<U, R>): Outage<U, R> {
  /** Since the first request that did not get through. */
  let limit: TimeLimit | undefined;
  return {
    async retry(row, first) {
      let outcome: Outcome<R> = first;
      for (let attempt = 0; ; attempt++) {
        if (outcome.kind !== 'not-sent' || outcome.isFatal) return outcome;
        limit ??= clock.limit(outageLimitMs);
        if (stop.aborted) return outcome;
        if (limit.leftMs() === 0) return { ...outcome, isFatal: true };
        rateLimiter.pause(Math.min(maxBackoffMs, firstBackoffMs * 2 ** attempt));
        rateLimiter.release();
        if (!(await rateLimiter.acquire())) {
          // The run was stopped meanwhile; the caller releases once, whatever happens.
          rateLimiter.forceAcquire();
          return outcome;
        }
        outcome = await send(row);
      }
    },
    end() {
      limit?.cancel();
      limit = undefined;
    },
  };
}
