// Handles the faults of NATS servers: waits for faults that pass within seconds, while the servers elect a leader, describes each fault,
// and keeps track of whether deliveries can be stored.

import type { Clock, NatsFault, NatsStream } from '#world/world.ts';
import { JournalFull } from '../intake/delivery-journal.ts';
import { lacksQuorum, type Sink } from './sink-layout.ts';

const retryMs = 500;
const transientFaults: readonly NatsFault['fault'][] = ['no-quorum', 'timeout'];

export const isFault = (value: unknown): value is NatsFault =>
  typeof value === 'object' && value !== null && 'fault' in value && typeof value.fault === 'string';

/** Retries until the fault passes; returns it after the limit. `alsoTransient`: further faults that may pass. */
export async function untilQuorum<T>(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  limitMs: number,
  query: () => Promise<T | NatsFault>,
  alsoTransient: readonly NatsFault['fault'][] = [],
): Promise<T | NatsFault> {
  const end = clock.monotonic() + limitMs;
  for (;;) {
    const result = await query();
    if (
      !isFault(result) ||
      ![...transientFaults, ...alsoTransient].includes(result.fault) ||
      clock.monotonic() >= end
    )
      return result;
    await clock.sleep(retryMs);
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
  if (transientFaults.includes(fault)) return isRead ? 'no quorum of the NATS servers responds' : noQuorum;
  return `the NATS servers ${isRead ? 'respond with an error' : 'do not store it'} (${detail})`;
}

/** A full stream has room again below this share of its limit. If it stays fuller, a delivery is tried after this time. */
const roomShare = 0.95;
const fullRetryMs = 60_000;

/** Tracks whether deliveries can be stored, from each attempt to store one and each read of the stream. */
export function createSinkHealth({ nats, clock, names }: Sink) {
  /** The first reason since a delivery was last stored, so that an outage is reported once. */
  let storeFault: string | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** The fault that the last read of the stream found: there may have been no delivery since. */
  let streamFault: string | undefined;
  return {
    stored() {
      storeFault = undefined;
    },
    /** Returns the error that the receiver reports. */
    failed(fault: NatsFault) {
      failedAt = clock.monotonic();
      const isFull = fault.fault === 'full';
      if (isFull)
        storeFault = `the stream ${names.deliveries} is full, or its servers' disks are (${fault.detail})`;
      storeFault ??= describeFault(fault, nats.outage());
      return isFull ? new JournalFull(storeFault) : new Error(storeFault);
    },
    /**
     * Notices that the sink is back: a load balancer sends no delivery to a receiver that is not ready.
     * `since`: when the read began, on the monotonic clock.
     */
    observe(stream: NatsStream | NatsFault, since: number) {
      // A leader that has lost the others takes a while to notice that it no longer leads.
      if (isFault(stream)) streamFault = describeFault(stream, nats.outage());
      else streamFault = lacksQuorum(stream) ? noQuorum : undefined;
      if (isFault(stream) || streamFault !== undefined) return;
      const { max_bytes } = stream.config;
      const hasRoom = max_bytes <= 0 || stream.state.bytes < max_bytes * roomShare;
      if (failedAt < since - (hasRoom ? 0 : fullRetryMs)) storeFault = undefined;
    },
    /** Why deliveries cannot be stored; `undefined` if no fault is known. */
    fault: () => storeFault ?? nats.outage() ?? streamFault,
  };
}
