// Handles the faults of NATS servers: waits for faults that pass within seconds, while the servers elect a leader, describes each fault,
// and keeps track of whether deliveries can be stored.

import type { Clock, NatsConnection, NatsFault, NatsStream } from '#world/world.ts';
import { JournalFull } from '../intake/delivery-journal.ts';
import { lacksQuorum } from './sink-layout.ts';

const againMs = 500;
const passing: readonly NatsFault['fault'][] = ['no-quorum', 'timeout'];

export const isFault = (value: unknown): value is NatsFault =>
  typeof value === 'object' && value !== null && 'fault' in value && typeof value.fault === 'string';

/** Retries until the fault passes; returns it after the limit. `more`: further faults that may pass. */
export async function untilQuorum<T>(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  limitMs: number,
  ask: () => Promise<T | NatsFault>,
  more: readonly NatsFault['fault'][] = [],
): Promise<T | NatsFault> {
  const end = clock.monotonic() + limitMs;
  for (;;) {
    const result = await ask();
    if (!isFault(result) || ![...passing, ...more].includes(result.fault) || clock.monotonic() >= end)
      return result;
    await clock.sleep(againMs);
  }
}

const noQuorum = 'no quorum of the NATS servers confirms it';

/** `connection`: why the connection is down. */
export function describeFault(
  { fault, detail }: NatsFault,
  connection: string | undefined,
  isRead = false,
): string {
  if (fault === 'not-allowed') return `the NATS servers do not allow it (${detail})`;
  if (connection !== undefined) return `no connection to the NATS servers (${connection})`;
  if (passing.includes(fault)) return isRead ? 'no quorum of the NATS servers responds' : noQuorum;
  return `the NATS servers ${isRead ? 'respond with an error' : 'do not store it'} (${detail})`;
}

/** A full stream has room again below this share of its limit. If it stays fuller, one delivery may try after this time. */
const roomAgain = 0.95;
const tryAgainMs = 60_000;

/** Tracks whether deliveries can be stored, from each attempt to store one and each look at the stream. */
export function createSinkHealth(nats: Pick<NatsConnection, 'outage'>, clock: Pick<Clock, 'monotonic'>) {
  /** The first reason since a delivery was last stored, so that an outage is reported once. */
  let tried: string | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** What the last look at the stream found: maybe no delivery has tried since. */
  let seen: string | undefined;
  return {
    stored() {
      tried = undefined;
    },
    /** Returns the error that the receiver reports. */
    failed(fault: NatsFault, stream: string) {
      failedAt = clock.monotonic();
      const isFull = fault.fault === 'full';
      if (isFull) tried = `the stream ${stream} is full, or its servers' disks are (${fault.detail})`;
      tried ??= describeFault(fault, nats.outage());
      return isFull ? new JournalFull(tried) : new Error(tried);
    },
    /**
     * Notices that the sink is back: a load balancer sends no delivery to a receiver that is not ready.
     * `since`: when the look began, on the monotonic clock.
     */
    look(found: NatsStream | NatsFault, since: number) {
      // A leader that has lost the others takes a while to notice that it no longer leads.
      if (isFault(found)) seen = describeFault(found, nats.outage());
      else seen = lacksQuorum(found) ? noQuorum : undefined;
      if (isFault(found) || seen !== undefined) return;
      const { max_bytes } = found.config;
      const hasRoom = max_bytes <= 0 || found.state.bytes < max_bytes * roomAgain;
      if (failedAt < since - (hasRoom ? 0 : tryAgainMs)) tried = undefined;
    },
    /** Why deliveries cannot be stored; `undefined` if no fault is known. */
    fault: () => tried ?? nats.outage() ?? seen,
  };
}
