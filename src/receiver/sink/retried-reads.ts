// Reads from a sink, retried for some seconds while the servers elect a leader: a user who looks at it just then sees no error.

import type { Clock, NatsConnection } from '../../world/world.ts';
import { untilQuorum } from './until-quorum.ts';

type Reads = Pick<NatsConnection, 'stream' | 'consumers' | 'read' | 'count' | 'readAll'>;

const limitMs = 10_000;
const againMs = 500;

export function createRetriedReads(nats: Reads, clock: Pick<Clock, 'monotonic' | 'sleep'>): Reads {
  return {
    stream: (name) => untilQuorum(clock, limitMs, () => nats.stream(name)),
    consumers: (stream) => untilQuorum(clock, limitMs, () => nats.consumers(stream)),
    read: (stream, which) => untilQuorum(clock, limitMs, () => nats.read(stream, which)),
    count: (stream, subject) => untilQuorum(clock, limitMs, () => nats.count(stream, subject)),
    async *readAll(stream, options) {
      const end = clock.monotonic() + limitMs;
      for (;;) {
        let hasBegun = false;
        try {
          for await (const message of nats.readAll(stream, options)) {
            hasBegun = true;
            yield message;
          }
          return;
        } catch (error) {
          // What has been passed on must not come twice.
          if (hasBegun || options.signal?.aborted === true || clock.monotonic() >= end) throw error;
        }
        await clock.sleep(againMs);
      }
    },
  };
}
