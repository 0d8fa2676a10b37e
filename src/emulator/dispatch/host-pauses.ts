// Pauses retries to a host after many failed deliveries in a row.

import type { EmulatorClock } from '../state/clock.ts';

const failuresBeforePause = 10;
const pauseMs = 300_000;

export function createHostPauses(clock: EmulatorClock) {
  const hosts = new Map<string, { failures: number; pausedUntil: number }>();
  return {
    record(hookUrl: string, isDelivered: boolean) {
      const { host } = new URL(hookUrl);
      if (isDelivered) return void hosts.delete(host);
      const state = hosts.get(host) ?? { failures: 0, pausedUntil: 0 };
      hosts.set(host, state);
      if (++state.failures % failuresBeforePause === 0) state.pausedUntil = clock.now() + pauseMs;
    },
    clear() {
      hosts.clear();
    },
    /** Milliseconds to wait in addition to the retry interval. */
    remainingMs: (hookUrl: string) =>
      Math.max(0, (hosts.get(new URL(hookUrl).host)?.pausedUntil ?? 0) - clock.now()),
  };
}
