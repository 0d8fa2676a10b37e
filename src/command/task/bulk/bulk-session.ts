// The session of a bulk run: with as many connections as workers, behind a rate limiter that waits out a 429 up to --max-wait.

import { rateLimitedHttp } from '../../../bulk/rate-limited-http.ts';
import { createRateLimiter, type RateLimiter } from '../../../bulk/rate-limiter.ts';
import type { Session } from '../../../client/session.ts';
import type { Context } from '../../context.ts';
import { createCommandSession } from '../../create-session.ts';
import { type BulkFlags, defaultConcurrency, defaultMaxWaitMs } from './flags.ts';
import { formatDuration } from './format-quantity.ts';

export interface BulkSession {
  readonly rateLimiter: RateLimiter;
  readonly session: Session;
}

/** `stop`: ends every wait. `needsRecord`: the tasks in the responses are printed. */
export async function createBulkSession(
  context: Context,
  flags: BulkFlags,
  { stop, needsRecord }: { readonly stop: AbortSignal; readonly needsRecord: boolean },
): Promise<BulkSession> {
  const { world } = context;
  const { clock } = world;
  const concurrency = flags.concurrency ?? defaultConcurrency;
  const rateLimiter = createRateLimiter(clock, {
    maxConcurrency: concurrency,
    maxWaitMs: flags.maxWait ?? defaultMaxWaitMs,
    stop,
    ...(flags.rate === undefined ? {} : { perMinute: flags.rate }),
  });
  const session = await createCommandSession(context, {
    // A line for each row would cost as much as the journal.
    isOneChange: true,
    reading: { exactNumbers: needsRecord },
    http: async () => {
      const http = (await world.http.withConnections?.(concurrency)) ?? world.http;
      return rateLimitedHttp({ http, clock }, rateLimiter);
    },
    rateLimitGiveUpReason: () => excessiveWaitReason(rateLimiter, flags),
  });
  return { rateLimiter, session };
}

/** Undefined where the service rejects a request again and again, however long one waits. */
function excessiveWaitReason({ excessiveWaitMs }: RateLimiter, flags: BulkFlags): string | undefined {
  if (excessiveWaitMs === undefined) return undefined;
  const limit = `--max-wait (${formatDuration(flags.maxWait ?? defaultMaxWaitMs)})`;
  return `waiting out the rate limit would take ${formatDuration(excessiveWaitMs)}, longer than ${limit}`;
}
