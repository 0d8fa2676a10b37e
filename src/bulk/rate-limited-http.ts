// A network on which a bulk is patient: what the rate limit rejects has had no effect, so it is sent again, when the
// service says or after a pause, and the session above hears of it only where that is too long.

import { isRateLimited } from '../client/response.ts';
import { retryAfterMs } from '../client/retry.ts';
import type { Http, HttpFault, World } from '../world/world.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** A service that refuses this often in a row, however long one waits, has another reason. */
const maxRateLimits = 30;
const stopped: HttpFault = { fault: 'aborted', sent: false, detail: 'the bulk was stopped while it waited' };

/** The caller has entered the pace already; whoever is refused gives up its place and enters anew. */
export function rateLimitedHttp({ http, clock }: Pick<World, 'http' | 'clock'>, pace: RateLimiter): Http {
  return {
    async send(request, options) {
      for (let rateLimits = 1; ; rateLimits++) {
        const { generation } = pace;
        const outcome = await http.send(request, options);
        if ('fault' in outcome) return outcome;
        if (!isRateLimited(outcome)) {
          pace.onSuccess();
          return outcome;
        }
        const mayWait = pace.onRateLimit(generation, retryAfterMs(outcome, clock.now()));
        if (!mayWait || rateLimits >= maxRateLimits) return outcome;
        pace.release();
        const entered = await pace.acquire();
        // The caller leaves once more, whatever comes.
        if (!entered) {
          pace.forceAcquire();
          return stopped;
        }
      }
    },
  };
}
