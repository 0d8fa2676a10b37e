// A clock that a test moves by hand. Nothing here waits: `advance` runs what has become due, and `onWait` tells that
// the program has begun to wait for something, so that a test can answer by advancing.

import type { Clock } from '../src/world/world.ts';

export interface TestClock extends Clock {
  /** Moves the time on and runs what is due, in order. */
  advance(milliseconds: number): void;
  /** How long each wait was to be: those of `sleep` and of `after`, in turn. */
  readonly waits: number[];
}

/** Starts at noon of 5 January 2026, UTC. */
export const noon = Date.UTC(2026, 0, 5, 12);

export function createTestClock(onWait: (milliseconds: number) => void = () => {}): TestClock {
  let now = noon;
  const pending = new Set<{ readonly at: number; readonly run: () => void }>();
  const waits: number[] = [];

  const clock: TestClock = {
    waits,
    now: () => now,
    advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const due = [...pending].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        pending.delete(due);
        now = Math.max(now, due.at);
        due.run();
      }
      now = end;
    },
    after(milliseconds, run) {
      const timer = { at: now + milliseconds, run };
      pending.add(timer);
      waits.push(milliseconds);
      // Later, as a real clock would be.
      queueMicrotask(() => onWait(milliseconds));
      return () => pending.delete(timer);
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const cancel = clock.after(milliseconds, resolve);
        signal?.addEventListener('abort', () => resolve(cancel()), { once: true });
      }),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
  return clock;
}

/** A clock on which every wait is over as soon as it begins. */
export function createHurriedClock(): TestClock {
  const clock = createTestClock((milliseconds) => clock.advance(milliseconds));
  return clock;
}
