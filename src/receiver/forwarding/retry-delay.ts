// Computes how long the forwarder waits before a retry, from the arguments alone.

import type { Random } from '#world/world.ts';

const firstDelayMs = 1000;
const maxRetryDelayMs = 5 * 60_000;
const maxProbeDelayMs = 30_000;

/** From 1: a second, doubling up to 5 minutes. A target may ask for a longer delay up to that, not for a shorter one. */
export function retryDelayMs(attempt: number, random: Random, requestedMs = 0): number {
  return Math.max(backoff(attempt, maxRetryDelayMs, random), Math.min(requestedMs, maxRetryDelayMs));
}

/** The delay after the n-th failed probe (from 1) of an unavailable target. */
export function probeDelayMs(probes: number, random: Random): number {
  return backoff(probes, maxProbeDelayMs, random);
}

/** In whole milliseconds. Half is random, so that deliveries that failed together are not all retried at once. */
function backoff(failures: number, maxMs: number, random: Random): number {
  const delay = Math.min(maxMs, firstDelayMs * 2 ** (failures - 1));
  return Math.round(delay / 2 + (random() * delay) / 2);
}
