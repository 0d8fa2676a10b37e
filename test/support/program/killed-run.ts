// Ends a run of `wm` at its n-th request, as a kill would: the run waits for a response for ever. That needs no process, so a
// test can do it at every request.

import { gate } from '#test/support/gate.ts';
import { createWorld } from '#world/create-world.ts';
import type { Clock, Http, TimeLimit, World } from '#world/world.ts';

/** `after`: the request has taken effect, and its response is lost. */
export interface Kill {
  /** Counted from 1. */
  readonly at: number;
  readonly when: 'before' | 'after';
}

export interface KilledHttp {
  readonly http: Http;
  /** For the run that is to be killed. */
  readonly world: Pick<World, 'http' | 'clock' | 'lock'>;
  /** Resolves at that request. */
  readonly killed: Promise<'killed'>;
  /** Method and URL of each request, in turn. */
  readonly requests: readonly string[];
}

/** Without `kill`, nothing is killed. */
export function killingHttp(real: World['http'], kill?: Kill): KilledHttp {
  const requests: string[] = [];
  const end = gate();
  const killed = end.opened.then(() => 'killed' as const);
  const never = new Promise<never>(() => {});
  const http: Http = {
    ...real,
    async send(request, options) {
      const isLast = requests.push(`${request.method} ${request.url}`) === kill?.at;
      if (isLast && kill.when === 'before') {
        end.open();
        return never;
      }
      const response = await real.send(request, options);
      if (!isLast) return response;
      end.open();
      return never;
    },
  };
  const world = createWorld();
  const clock = clockUntil(world.clock, killed);
  return { requests, killed, http, world: { http, clock, lock: lockUntil(world.lock, killed) } };
}

/** The system releases the locks of a process that is killed. */
function lockUntil(real: World['lock'], killed: Promise<unknown>): World['lock'] {
  return {
    ...real,
    async acquire(path, options) {
      const lock = await real.acquire(path, options);
      if (!lock) return undefined;
      let isHeld = true;
      void killed.then(() => (isHeld ? lock.release() : undefined));
      const release = () => {
        isHeld = false;
        return lock.release();
      };
      return { ...lock, release };
    },
  };
}

/** The time limits of a run end when it is killed: they would keep the process of the test. */
function clockUntil(real: Clock, killed: Promise<unknown>): Clock {
  const limits = new Set<TimeLimit>();
  let isOver = false;
  void killed.then(() => {
    isOver = true;
    for (const limit of limits) limit.cancel();
  });
  return {
    ...real,
    limit(milliseconds, onEnd) {
      const limit = real.limit(milliseconds, onEnd);
      if (isOver) limit.cancel();
      limits.add(limit);
      return limit;
    },
  };
}
