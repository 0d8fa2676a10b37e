// Sends the changes of many webhooks: several requests at once, behind a rate limiter that waits when the service asks to. Reads back
// the webhooks that were changed meanwhile in one request, since the service limits the number of requests.

import { createRateLimiter, rateLimitedHttp } from '#bulk/rate-limiter.ts';
import type { Context } from '#cli/context.ts';
import { createCommandSession } from '#cli/create-session.ts';
import { type ReadByIds, readByIds } from '#cli/read-by-ids.ts';
import type { Session } from '#client/session.ts';
import { readLeniently } from '#contract/schema.ts';
import { type Webhook, webhookOperations } from '#contract/webhook.ts';
import { Failure } from '#failure.ts';

/** Of the changes. One more request reads webhooks back. */
const maxConcurrency = 8;
/** As many wait to be sent or read back as are in flight: after Ctrl-C, the status of few is unknown. */
export const maxBegun = 2 * maxConcurrency;
const maxWaitMinutes = 15;
/** The client for many connections takes a tenth of a second to load. */
const worthConnections = 100;

/** The same context, with a session for so many webhooks. `onChange`: called with the id before a change is sent. */
export async function createContextForMany(context: Context, count: number, onChange: (id: string) => void) {
  const { changes, report, world } = context;
  const { clock } = world;
  const stop = new AbortController().signal;
  const rateLimiter = createRateLimiter(clock, { maxConcurrency, maxWaitMs: maxWaitMinutes * 60_000, stop });
  rateLimiter.onLongWait((waitMs) => {
    void report.info(`The service limits the rate of requests. Waiting ${Math.ceil(waitMs / 1000)} s.`);
  });
  const session = await createCommandSession(context, {
    changes,
    http: async () => {
      const pool = count > worthConnections && (await world.http.withConnections?.(maxConcurrency + 1));
      return rateLimitedHttp({ http: pool || world.http, clock }, rateLimiter);
    },
    rateLimitGiveUpReason: () =>
      rateLimiter.excessiveWaitMs === undefined
        ? undefined
        : `waiting it out would take longer than ${maxWaitMinutes} minutes`,
  });
  const limited = async <T>(send: () => Promise<T>): Promise<T> => {
    await rateLimiter.acquire();
    return send().finally(rateLimiter.release);
  };
  let ids: string[] = [];
  let lastRead: Promise<unknown> = Promise.resolve();
  let nextRead: Promise<ReadByIds<Webhook> | undefined> | undefined;
  const readBatch = async () => {
    if (rateLimiter.pauseLeftMs > 0) await clock.sleep(rateLimiter.pauseLeftMs, stop);
    const batch = ids;
    [ids, nextRead] = [[], undefined];
    const inSession = { ...context, session: async () => session };
    return readByIds(inSession, webhookOperations.getWebhooks, 'webhookIds', batch, {});
  };
  /** One read at a time, beside the changes: the webhooks that are changed meanwhile are in the next. */
  const readTogether = (id: string) => {
    ids.push(id);
    if (nextRead) return nextRead;
    const read = lastRead.then(readBatch);
    lastRead = read.catch(() => {});
    nextRead = read;
    return read;
  };
  const sessionForMany: Session = {
    ...session,
    async send(operation, path, parameters, ...rest) {
      const [id = ''] = Object.values(path).flat();
      if (operation.path !== webhookOperations.getWebhooks.path)
        return limited(() => {
          if (operation.method !== 'GET') onChange(id);
          return session.send(operation, path, parameters, ...rest);
        });
      const { reads, endedBy } = (await readTogether(id)) ?? {};
      const found = reads?.get(id) ?? endedBy;
      if (found && !(found instanceof Failure))
        return { records: [readLeniently(operation.record, found.raw)], raw: [found.raw] };
      if (found && !mayBeOfAnother(found)) throw found;
      return limited(() => session.send(operation, path, parameters, ...rest));
    },
  };
  return { ...context, session: async () => sessionForMany };
}

/** One odd webhook can make the service, or wm, reject the records of all that are read with it: then each is read alone. */
function mayBeOfAnother({ code, httpStatus }: Failure): boolean {
  const isLeftOut = code === 'not_found' && httpStatus === undefined;
  return code === 'bad_response' || code === 'server' || isLeftOut;
}
