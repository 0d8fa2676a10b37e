// Leaves a NATS server that is cut off from the others: it keeps its clients without telling them, and none of their requests can
// succeed.

import type { Clock, NatsConnection } from '../../world/world.ts';

export interface ServerWatch {
  /** After each request that needs a quorum. */
  onResult(succeeded: boolean): void;
}

/** How long everything may fail before wm leaves the server. */
const failingMs = 3_000;
/** How long the next server gets. */
const betweenMs = 5_000;

export function createServerWatch(
  nats: Pick<NatsConnection, 'changeServer'>,
  clock: Pick<Clock, 'monotonic'>,
): ServerWatch {
  let failingSince: number | undefined;
  let changedAt = Number.NEGATIVE_INFINITY;
  return {
    onResult(succeeded) {
      const now = clock.monotonic();
      if (succeeded) failingSince = undefined;
      else if (failingSince === undefined) failingSince = now;
      else if (now - failingSince >= failingMs && now - changedAt >= betweenMs) {
        changedAt = now;
        void nats.changeServer();
      }
    },
  };
}
