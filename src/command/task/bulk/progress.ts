// How far a bulk is, for whoever watches: rows, rate, time left. One line that changes on a terminal, a line now and then
// elsewhere.

import type { PauseReason, RateLimiter } from '../../../bulk/rate-limiter.ts';
import type { Report } from '../../../terminal/report.ts';
import type { Clock, Output } from '../../../world/world.ts';
import { formatDuration } from './format-duration.ts';
import { formatCount } from './format-number.ts';

export interface Progress {
  step(): void;
  /** Clears the line, so that something else can be written. */
  end(): Promise<void>;
}

export interface ProgressOptions {
  readonly total: number;
  /** Answered by an earlier run. */
  readonly earlier: number;
  readonly quiet: boolean;
  /** How long nobody is let through, and why. */
  readonly rateLimiter: Pick<RateLimiter, 'pauseLeftMs' | 'pauseReason' | 'onLongWait'>;
  /** The longest wait for a rate limit, in milliseconds. */
  readonly maxWaitMs: number;
}

/** What stands before the time: a pause of our own is not laid at the service's door. */
const pauseTexts: { readonly [R in PauseReason]: string } = {
  asked: 'the service asked to wait',
  limited: 'too many requests for the service: continuing in',
  trouble: 'nothing can be sent just now: retrying in',
};

/** What is said of a long wait at its beginning, whether or not anybody watches. */
const longWaitTexts: { readonly [R in PauseReason]: string } = {
  asked: 'The service asks to wait',
  limited: 'The service says that these are too many requests: waiting',
  trouble: 'Nothing can be sent just now: waiting',
};

const terminalMs = 200;
const pipedMs = 10_000;

export function createProgress(
  clock: Clock,
  errors: Output,
  report: Pick<Report, 'info' | 'warn'>,
  { total, earlier, quiet, rateLimiter, maxWaitMs }: ProgressOptions,
): Progress {
  const started = clock.monotonic();
  let done = 0;
  let cancel = () => {};
  let shown = false;
  // On a terminal the line that changes says so all the time, unless there is none.
  if (quiet || !errors.isTerminal)
    rateLimiter.onLongWait((milliseconds, reason) => {
      const limit = `(up to ${formatDuration(maxWaitMs)}; change with --max-wait)`;
      void report.warn(`${longWaitTexts[reason]} ${formatDuration(milliseconds)} ${limit}.`);
    });
  const line = (): string => {
    const seconds = Math.max(0.001, (clock.monotonic() - started) / 1000);
    const rate = done / seconds;
    const left = total - earlier - done;
    const paused = rateLimiter.pauseLeftMs;
    const wait = paused > 500 ? `; ${pauseTexts[rateLimiter.pauseReason]} ${formatDuration(paused)}` : '';
    const time = rate > 0 && left > 0 ? `, ${formatDuration((left / rate) * 1000)} left` : '';
    return `${formatCount(earlier + done)} of ${formatCount(total)} rows, ${formatCount(Math.round(rate))}/s${time}${wait}`;
  };
  const tick = () => {
    if (errors.isTerminal) {
      shown = true;
      void errors.write(`\r\u001b[K${line()}`);
    } else void report.info(line());
    cancel = clock.after(errors.isTerminal ? terminalMs : pipedMs, tick);
  };
  if (!quiet) cancel = clock.after(errors.isTerminal ? terminalMs : pipedMs, tick);
  return {
    step() {
      done++;
    },
    async end() {
      cancel();
      if (shown) await errors.write('\r\u001b[K');
      shown = false;
    },
  };
}
