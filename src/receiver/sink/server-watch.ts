// Leaves a NATS server that is cut off from the others, or hangs: it keeps its clients without telling them, and none of their requests
// can succeed.

import type { Clock, NatsConnection } from '../../world/world.ts';

export interface ServerWatch {
  /** After each request that needs a quorum. `since`: when it was sent, on the monotonic clock. */
  onResult(succeeded: boolean, since: number): void;
}

/**
 * How long everything may fail before wm leaves the server. A request that gets no response shows it as soon as its own time limit is over:
 * the limits of those that are sent all the time are just longer.
 */
const failingMs = 2_400;
/** How long the next server gets. */
const betweenMs = 5_000;

export function createServerWatch(
  nats: Pick<NatsConnection, 'changeServer'>,
  clock: Pick<Clock, 'monotonic'>,
): ServerWatch {
  let failingSince: number | undefined;
  let changedAt = Number.NEGATIVE_INFINITY;
  return {
    onResult(succeeded, since) {
      const now = clock.monotonic();
      if (succeeded) {
        failingSince = undefined;
        return;
      }
      failingSince ??= since;
      // What was sent to the server before this one says nothing about this one.
      if (now - Math.max(failingSince, changedAt) < failingMs || now - changedAt < betweenMs) return;
      changedAt = now;
      void nats.changeServer();
    },
  };
}

/** Publishes as `nats` does, and reports each result to the watch. */
export function createWatchedPublish(
  nats: Pick<NatsConnection, 'publish'>,
  clock: Pick<Clock, 'monotonic'>,
  watch: ServerWatch,
): NatsConnection['publish'] {
  return async (...message) => {
    const since = clock.monotonic();
    const published = await nats.publish(...message);
    // A conflict is the response of a leader that has compared.
    watch.onResult(!('fault' in published) || published.fault === 'conflict', since);
    return published;
  };
}
