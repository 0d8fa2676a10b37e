// How long the forwarder waits before it sends again. Pure: the delay follows from the arguments.

import type { Random } from '#world/world.ts';

const firstDelayMs = 1000;
const maxRetryDelayMs = 5 * 60_000;
const maxProbeDelayMs = 30_000;

/**
 * After the n-th failed attempt (from 1): a second, doubling up to 5 minutes, or longer if the target asks for it, also up to 5
 * minutes. A target that asks for less does not get more attempts than any other.
 */
export function retryDelayMs(attempt: number, random: Random, requestedMs = 0): number {
  return Math.max(backoff(attempt, maxRetryDelayMs, random), Math.min(requestedMs, maxRetryDelayMs));
}

/** After an unavailable target was tried in vain n times (from 1). */
export function probeDelayMs(probes: number, random: Random): number {
  return backoff(probes, maxProbeDelayMs, random);
}

/** In whole milliseconds. Half of it is random, so that deliveries that failed together are not all sent again at once. */
function backoff(failures: number, mostMs: number, random: Random): number {
  const whole = Math.min(mostMs, firstDelayMs * 2 ** (failures - 1));
  return Math.round(whole / 2 + (random() * whole) / 2);
}
