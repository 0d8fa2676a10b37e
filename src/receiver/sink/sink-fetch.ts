// Fetches the next delivery of a partition: the one that its consumer hands out or, if the consumer has been silent for a while, one that it
// has left out.

import type { Clock, NatsConnection, NatsFault, NatsPulled, Random } from '../../world/world.ts';
import type { SinkOverlooked } from './sink-overlooked.ts';

/** How long a request for the next delivery waits at the server. A request is lost with the server. */
const pullMs = 5_000;
const againMs = 1_000;

export interface FetchOptions {
  readonly nats: Pick<NatsConnection, 'pull'>;
  readonly overlooked: SinkOverlooked;
  /** The name of the stream of deliveries. */
  readonly deliveries: string;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** `undefined`: none for now, after a short wait. `not-found`: there is no such consumer. */
export type Fetch = () => Promise<NatsPulled | NatsFault | undefined>;

export function createFetch(
  { nats, overlooked, deliveries, clock, random, signal }: FetchOptions,
  ...which: Parameters<SinkOverlooked['find']>
): Fetch {
  const [consumer] = which;
  let lookAt = clock.monotonic() + pullMs;
  let isLeftOut = false;
  return async () => {
    const started = clock.monotonic();
    // A consumer that leaves out one delivery usually leaves out more.
    const pulled = isLeftOut ? undefined : await nats.pull(deliveries, consumer, pullMs);
    if (pulled !== undefined) {
      lookAt = clock.monotonic() + pullMs;
      return pulled;
    }
    if (isLeftOut || clock.monotonic() >= lookAt) {
      const found = await overlooked.find(...which);
      isLeftOut = found !== undefined;
      lookAt = clock.monotonic() + pullMs;
      return found;
    }
    // Without a connection or a leader, the response comes at once.
    if (clock.monotonic() - started < againMs) await clock.sleep(againMs * random(), signal);
    return undefined;
  };
}
