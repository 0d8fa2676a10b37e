// Pauses retries to a host after many failed deliveries in a row.

import type { EmulatorClock } from '../state/clock.ts';

const failuresBeforePause = 10;
const pauseMs = 300_000;

export function createHostPauses(clock: EmulatorClock) {
  const failures = new Map<string, number>();
  const pausedUntil = new Map<string, number>();
  return {
    record(hookUrl: string, isDelivered: boolean) {
      const { host } = new URL(hookUrl);
      if (isDelivered) {
        failures.delete(host);
        pausedUntil.delete(host);
        return;
      }
      const count = (failures.get(host) ?? 0) + 1;
      failures.set(host, count);
      if (count % failuresBeforePause === 0) pausedUntil.set(host, clock.now() + pauseMs);
    },
    clear() {
      failures.clear();
      pausedUntil.clear();
    },
    /** Milliseconds to wait in addition to the retry interval. */
    remainingMs: (hookUrl: string) =>
      Math.max(0, (pausedUntil.get(new URL(hookUrl).host) ?? 0) - clock.now()),
  };
}
