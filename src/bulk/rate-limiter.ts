// Limits the speed of a bulk run: requests at once, and requests per minute. After a 429 all workers wait as long as the
// service asks, up to a limit, and half as many continue; each later success brings some of them back (additive
// increase, multiplicative decrease).

import { isRateLimited } from '#client/response.ts';
import { retryAfterMs } from '#contract/retry-after.ts';
import type { Clock, Http, HttpFault, World } from '#world/world.ts';

/** `unavailable`: requests do not get through, or the service fails. */
export type PauseReason = 'retry-after' | 'rate-limit' | 'unavailable';

export type RateLimiter = ReturnType<typeof createRateLimiter>;

interface RateLimiterOptions {
  readonly maxConcurrency: number;
  /** Unlimited if undefined. */
  readonly perMinute?: number | undefined;
  /** The longest wait for a rate limit, in milliseconds; unlimited if undefined. */
  readonly maxWaitMs?: number;
  readonly stop: AbortSignal;
}

/** The shortest wait, even if the service asks for less. */
const firstBackoffMs = 1000;
const maxBackoffMs = 60_000;
const longWaitMs = 5000;

export function createRateLimiter(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  { maxConcurrency, perMinute, maxWaitMs = Number.POSITIVE_INFINITY, stop }: RateLimiterOptions,
) {
  const intervalMs = perMinute === undefined ? 0 : 60_000 / perMinute;
  let concurrency = maxConcurrency;
  let inFlight = 0;
  let generation = 0;
  let successes = 0;
  /** Reductions since the last success. */
  let reductions = 0;
  let nextSendAt = 0;
  let pausedUntil = 0;
  let pauseReason: PauseReason = 'unavailable';
  const waiters: (() => void)[] = [];
  const wakeAll = () => {
    for (const wake of waiters.splice(0)) wake();
  };
  stop.addEventListener('abort', wakeAll, { once: true });
  let notifyLongWait = (_milliseconds: number, _reason: PauseReason) => {};
  let limitedSince: number | undefined;
  let excessiveWaitMs: number | undefined;
  const pause = (milliseconds: number, reason: PauseReason) => {
    const until = clock.monotonic() + milliseconds;
    if (until <= pausedUntil) return;
    // Requests that were in flight together are rejected together, each a moment later.
    const isNew = until - pausedUntil > longWaitMs;
    pausedUntil = until;
    pauseReason = reason;
    if (isNew && reason !== 'unavailable' && milliseconds > longWaitMs) notifyLongWait(milliseconds, reason);
  };
  /** Acquires only if that needs no waiting. */
  const tryAcquire = (): boolean => {
    if (inFlight >= concurrency || stop.aborted) return false;
    // Most runs have neither a rate nor a pause, and need not look at the clock.
    if (intervalMs > 0 || pausedUntil > 0) {
      const now = clock.monotonic();
      if (Math.max(pausedUntil, nextSendAt) > now) return false;
      if (intervalMs > 0) nextSendAt = Math.max(now, nextSendAt) + intervalMs;
    }
    inFlight++;
    return true;
  };
  /** Shared by all waiters: Node warns of a leak if a signal has many listeners. */
  let sleeping: Promise<void> | undefined;
  const sleep = (): Promise<void> => {
    sleeping ??= clock.sleep(Math.max(pausedUntil, nextSendAt) - clock.monotonic(), stop).then(() => {
      sleeping = undefined;
    });
    return sleeping;
  };
  return {
    tryAcquire,
    /** Waits until a request may be sent. Returns false, with nothing to release, if the run was stopped meanwhile. */
    async acquire(): Promise<boolean> {
      while (!stop.aborted) {
        if (tryAcquire()) return true;
        if (inFlight >= concurrency) await new Promise<void>((resolve) => waiters.push(resolve));
        else await sleep();
      }
      return false;
    },
    /** Call it once for each `acquire`; optional after `stop` has ended a wait. */
    release() {
      inFlight--;
      wakeAll();
    },
    /** Call it for each response that is not a rate limit. */
    onSuccess() {
      reductions = 0;
      limitedSince = undefined;
      if (concurrency >= maxConcurrency || ++successes < concurrency) return;
      successes = 0;
      concurrency++;
      wakeAll();
    },
    /**
     * Call it for each response that is a rate limit. `requestGeneration`: the `generation` when the request was sent; `requestedMs`:
     * how long the service asks to wait. Returns false, from then on, if the waits since the last success exceed the limit.
     */
    onRateLimit(requestGeneration: number, requestedMs = 0): boolean {
      const backoffMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** reductions);
      const waitMs = Math.max(requestedMs, backoffMs);
      const now = clock.monotonic();
      limitedSince ??= now;
      const totalMs = now + waitMs - limitedSince;
      if (totalMs > maxWaitMs) excessiveWaitMs ??= totalMs;
      if (excessiveWaitMs !== undefined) return false;
      pause(waitMs, requestedMs < backoffMs ? 'rate-limit' : 'retry-after');
      if (requestGeneration !== generation) return true;
      generation++;
      reductions++;
      successes = 0;
      concurrency = Math.max(1, Math.floor(concurrency / 2));
      return true;
    },
    /** Calls `listener` whenever all senders have to wait for longer than a few seconds. */
    onLongWait(listener: typeof notifyLongWait) {
      notifyLongWait = listener;
    },
    get excessiveWaitMs() {
      return excessiveWaitMs;
    },
    /** Blocks all senders for this long: requests are failing. */
    pause: (milliseconds: number) => pause(milliseconds, 'unavailable'),
    /** Counts the reductions of concurrency; rate limits of requests that were in flight together count once. */
    get generation() {
      return generation;
    },
    get concurrency() {
      return concurrency;
    },
    /** 0 without a pause. */
    get pauseLeftMs() {
      return Math.max(0, pausedUntil - clock.monotonic());
    },
    get pauseReason() {
      return pauseReason;
    },
  };
}

/** After this many rejections in a row, despite the waits, the rate cannot be the reason. */
const maxRateLimits = 30;
const detail = 'the bulk run was stopped while it waited';
const stopped: HttpFault = { fault: 'aborted', sent: false, detail };

/** The caller has acquired the rate limiter, and still has it after each `send`. */
export function rateLimitedHttp(
  { http, clock }: Pick<World, 'http' | 'clock'>,
  rateLimiter: RateLimiter,
): Http {
  return {
    async send(request, options) {
      for (let rateLimits = 1; ; rateLimits++) {
        const { generation } = rateLimiter;
        const outcome = await http.send(request, options);
        if ('fault' in outcome) return outcome;
        if (!isRateLimited(outcome)) {
          rateLimiter.onSuccess();
          return outcome;
        }
        const mayWait = rateLimiter.onRateLimit(generation, retryAfterMs(outcome, clock.now()));
        if (!mayWait || rateLimits >= maxRateLimits) return outcome;
        rateLimiter.release();
        if (!(await rateLimiter.acquire())) return stopped;
      }
    },
  };
}
