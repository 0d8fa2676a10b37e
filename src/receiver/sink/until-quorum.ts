// Retries requests that fail while the servers elect a leader, which takes seconds after one of them is gone.

import type { Clock, NatsFault } from '#world/world.ts';

const againMs = 500;
const passing: readonly NatsFault['fault'][] = ['no-quorum', 'timeout'];

export const isFault = (value: unknown): value is NatsFault =>
  typeof value === 'object' && value !== null && 'fault' in value && typeof value.fault === 'string';

/** Returns the last fault if it has not passed within the limit. `more`: further faults that may pass. */
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
