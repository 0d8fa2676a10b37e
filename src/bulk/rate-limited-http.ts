// HTTP that waits out the service's rate limit: a request that got a 429 had no effect, so it is retried when the
// service says, or after a backoff. The session that uses it sees a 429 only if the wait would be too long.

import { isRateLimited } from '#client/response.ts';
import { retryAfterMs } from '#contract/retry-after.ts';
import type { Http, HttpFault, World } from '#world/world.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** After this many rejections in a row, despite the waits, the rate cannot be the reason. */
const maxRateLimits = 30;
const stopped: HttpFault = {
  fault: 'aborted',
  sent: false,
  detail: 'the bulk run was stopped while it waited',
};

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
