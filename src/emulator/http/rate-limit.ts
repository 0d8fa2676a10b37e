// The optional rate limit: requests per minute for each token. The contract shows neither its value nor its response.

import type { Clock } from '#world/world.ts';
import { ErrorResponse } from './error-response.ts';

const minute = 60_000;

export function createRateLimit(clock: Pick<Clock, 'now'>, perMinute: number | undefined) {
  const windows = new Map<string, { ends: number; used: number }>();
  return {
    /** Counts a request. Throws {@link ErrorResponse} above the limit. */
    count(token: string) {
      if (perMinute === undefined) return;
      const now = clock.now();
      const current = windows.get(token);
      const window = current !== undefined && current.ends > now ? current : { ends: now + minute, used: 0 };
      windows.set(token, window);
      if (++window.used <= perMinute) return;
      const seconds = Math.ceil((window.ends - now) / 1000);
      throw new ErrorResponse(
        'too_many_requests',
        `More than ${perMinute} requests per minute`,
        'rate-limit',
        seconds,
      );
    },
    clear() {
      windows.clear();
    },
  };
}
