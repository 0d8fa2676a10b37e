// Handles the faults of NATS servers: describes them, and waits for faults to pass while the servers elect a leader.

import type { NatsFault, World } from '#world/world.ts';

/** The longest wait before a retry. Half is random, so that receivers do not all retry at once. */
const retryMs = 300;
const transientFaults: readonly NatsFault['fault'][] = ['no-quorum', 'timeout'];

export const isFault = (value: unknown): value is NatsFault =>
  typeof value === 'object' && value !== null && 'fault' in value && typeof value.fault === 'string';

/**
 * Retries until the fault passes; returns it if the limit leaves no time for another attempt. `query` gets the remaining time.
 * `alsoTransient`: further faults that may pass.
 */
export async function untilQuorum<T>(
  { clock, random }: Pick<World, 'clock' | 'random'>,
  limitMs: number,
  query: (remainingMs: number) => Promise<T | NatsFault>,
  alsoTransient: readonly NatsFault['fault'][] = [],
): Promise<T | NatsFault> {
  const end = clock.monotonic() + limitMs;
  for (;;) {
    const result = await query(end - clock.monotonic());
    const mayPass = isFault(result) && [...transientFaults, ...alsoTransient].includes(result.fault);
    if (!mayPass || clock.monotonic() + retryMs >= end) return result;
    await clock.sleep((retryMs * (1 + random())) / 2);
  }
}

export const noQuorum = 'no quorum of the NATS servers confirms it';

/** `connection`: why the connection is down. */
export function describeFault({ fault, detail }: NatsFault, connection: string | undefined, isRead = false) {
  if (fault === 'not-allowed') return `the NATS servers do not allow it (${detail})`;
  if (connection !== undefined) return `no connection to the NATS servers (${connection})`;
  if (transientFaults.includes(fault)) return isRead ? 'no quorum of the NATS servers responds' : noQuorum;
  return `the NATS servers ${isRead ? 'respond with an error' : 'do not store it'} (${detail})`;
}
