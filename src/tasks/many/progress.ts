// The progress of a bulk run: rows, rate, time left.

import type { PauseReason, RateLimiter } from '#bulk/rate-limiter.ts';
import type { Context } from '#cli/context.ts';
import { createProgressLine } from '#cli/progress-line.ts';
import { canRedraw } from '#terminal/line-drawing.ts';
import { defaultMaxWaitMs } from './flags.ts';
import { formatCount, formatDuration, formatRows } from './format-quantity.ts';
import type { BulkPlan } from './plan.ts';

/** In the progress line, before the remaining time. */
const pauseTexts: { readonly [R in PauseReason]: string } = {
  'retry-after': 'the service asked to wait',
  'rate-limit': 'too many requests: continuing in',
  unavailable: 'the service is unavailable: retrying in',
};

/** Printed when a long wait begins, before its length. */
const longWaitTexts: { readonly [R in PauseReason]: string } = {
  'retry-after': 'The service asks to wait',
  'rate-limit': 'The service rejects requests as too many: waiting',
  unavailable: 'The service is unavailable: waiting',
};

/** `earlier`: how many rows an earlier run has finished. */
export function createProgress(
  { world, report, common: { quiet = false } }: Context,
  { rows: total, flags: { maxWait = defaultMaxWaitMs } }: BulkPlan,
  earlier: number,
  rateLimiter: RateLimiter,
) {
  const { clock } = world;
  const started = clock.monotonic();
  let done = 0;
  // A progress line that is redrawn shows the wait.
  if (quiet || !canRedraw(world.streams.errors, world.environment))
    rateLimiter.onLongWait((milliseconds, reason) => {
      const limit = `(up to ${formatDuration(maxWait)}; change with --max-wait)`;
      void report.warn(`${longWaitTexts[reason]} ${formatDuration(milliseconds)} ${limit}.`);
    });
  const format = (): string => {
    const seconds = Math.max(0.001, (clock.monotonic() - started) / 1000);
    const rate = done / seconds;
    const remaining = total - earlier - done;
    const pauseMs = rateLimiter.pauseLeftMs;
    const wait = pauseMs > 500 ? `; ${pauseTexts[rateLimiter.pauseReason]} ${formatDuration(pauseMs)}` : '';
    const time = rate > 0 && remaining > 0 ? `, ${formatDuration((remaining / rate) * 1000)} left` : '';
    return `${formatCount(earlier + done)} of ${formatRows(total)}, ${formatCount(Math.round(rate))}/s${time}${wait}`;
  };
  return {
    ...createProgressLine({ world, report }, format),
    step() {
      done++;
    },
  };
}
