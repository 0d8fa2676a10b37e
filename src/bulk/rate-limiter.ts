// How fast a bulk goes: so many calls at once, and so many in a minute, both at most. Where the service says that it is
// too much, everybody waits as long as it asks, up to a limit, and half as many go on; with each answer that is none of
// that, a little more.

import type { Clock } from '../world/world.ts';

/** The service said how long, it said only that it is too much, or something did not work. */
export type PauseReason = 'asked' | 'limited' | 'trouble';

export interface RateLimiter {
  /** Waits for a place and for its turn. False, without a place, where the bulk was stopped meanwhile. */
  acquire(): Promise<boolean>;
  /** Enters where that needs no waiting. */
  tryAcquire(): boolean;
  /** Takes a place without waiting, to be left by someone who counts on having one. */
  forceAcquire(): void;
  release(): void;
  /** An answer came that was no complaint. */
  onSuccess(): void;
  /**
   * The service asked for less, of a call that was started under this `term`; `waitMs` is how long it asked to wait. False,
   * from then on, where that is too long, together with what was waited since the last answer that was no complaint.
   */
  onRateLimit(term: number, waitMs: number | undefined): boolean;
  /** Calls `listener` whenever a rate limit makes all wait for longer than a few seconds. */
  onLongWait(listener: (milliseconds: number, reason: PauseReason) => void): void;
  /** How long it would have taken in all, in milliseconds, where that was too long. */
  readonly excessiveWaitMs: number | undefined;
  /** Nobody enters before this long is over, since something did not work. */
  pause(milliseconds: number): void;
  /** Counts the reductions: the complaints of calls that were under way together are one. */
  readonly generation: number;
  /** How many may be on their way at once, just now. */
  readonly concurrency: number;
  /** Milliseconds until the next may enter, where it is a pause. */
  readonly pauseLeftMs: number;
  /** Why it is as long as that. */
  readonly pauseReason: PauseReason;
}

export interface RateLimiterOptions {
  readonly maxConcurrency: number;
  readonly perMinute?: number;
  /** The longest wait for a rate limit, in milliseconds; without it, there is no limit. */
  readonly maxWaitMs?: number;
  /** Nobody waits any longer. */
  readonly stop: AbortSignal;
}

const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** Who watches wants to know of a wait that is longer. */
const longWaitMs = 5000;

export function createRateLimiter(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  { maxConcurrency, perMinute, maxWaitMs = Number.POSITIVE_INFINITY, stop }: RateLimiterOptions,
): RateLimiter {
  const interval = perMinute === undefined ? 0 : 60_000 / perMinute;
  let places = maxConcurrency;
  let busy = 0;
  let term = 0;
  let sinceGrowth = 0;
  let complaints = 0;
  let nextTurn = 0;
  let pausedUntil = 0;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const one of woken) one();
  };
  stop.addEventListener('abort', wake, { once: true });
  let pausedFor: PauseReason = 'trouble';
  let tell = (_milliseconds: number, _reason: PauseReason) => {};
  let limitedSince: number | undefined;
  let excessiveWaitMs: number | undefined;
  const pause = (milliseconds: number, reason: PauseReason) => {
    const until = clock.monotonic() + milliseconds;
    if (until <= pausedUntil) return;
    // Those that were under way together complain together, each a moment later.
    const isNew = until - pausedUntil > longWaitMs;
    pausedUntil = until;
    pausedFor = reason;
    if (isNew && reason !== 'trouble' && milliseconds > longWaitMs) tell(milliseconds, reason);
  };
  const isTooLong = (waitMs: number): boolean => {
    const now = clock.monotonic();
    limitedSince ??= now;
    const wholeMs = now + waitMs - limitedSince;
    if (wholeMs > maxWaitMs) excessiveWaitMs ??= wholeMs;
    return excessiveWaitMs !== undefined;
  };
  const enterNow = (): boolean => {
    if (busy >= places || stop.aborted) return false;
    // Most bulks have neither a rate nor a pause, and need not look at the clock.
    if (interval > 0 || pausedUntil > 0) {
      const now = clock.monotonic();
      if (Math.max(pausedUntil, nextTurn) > now) return false;
      if (interval > 0) nextTurn = Math.max(now, nextTurn) + interval;
    }
    busy++;
    return true;
  };
  /** One for all who wait: each has to wait as long, and a signal with many listeners would be taken for a leak. */
  let sleeping: Promise<void> | undefined;
  const sleep = (): Promise<void> => {
    sleeping ??= clock.sleep(Math.max(pausedUntil, nextTurn) - clock.monotonic(), stop).then(() => {
      sleeping = undefined;
    });
    return sleeping;
  };
  return {
    tryAcquire: enterNow,
    async acquire() {
      while (!stop.aborted) {
        if (enterNow()) return true;
        if (busy >= places) await new Promise<void>((resolve) => waiting.push(resolve));
        else await sleep();
      }
      return false;
    },
    forceAcquire() {
      busy++;
    },
    release() {
      busy--;
      wake();
    },
    onSuccess() {
      complaints = 0;
      limitedSince = undefined;
      if (places >= maxConcurrency || ++sinceGrowth < places) return;
      sinceGrowth = 0;
      places++;
      wake();
    },
    onRateLimit(under, waitMs) {
      const wait = waitMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** complaints);
      if (isTooLong(wait)) return false;
      pause(wait, waitMs === undefined ? 'limited' : 'asked');
      if (under !== term) return true;
      term++;
      complaints++;
      sinceGrowth = 0;
      places = Math.max(1, Math.floor(places / 2));
      return true;
    },
    onLongWait(listener) {
      tell = listener;
    },
    get excessiveWaitMs() {
      return excessiveWaitMs;
    },
    pause: (milliseconds) => pause(milliseconds, 'trouble'),
    get generation() {
      return term;
    },
    get concurrency() {
      return places;
    },
    get pauseLeftMs() {
      return Math.max(0, pausedUntil - clock.monotonic());
    },
    get pauseReason() {
      return pausedFor;
    },
  };
}
