// A clock that a test moves by hand. Nothing here waits: `advance` runs what has become due, and `onWait` tells that
// the program has begun to wait for something, and `onLimit` that a time limit has begun, so that a test can answer by
// advancing.

import { setMaxListeners } from 'node:events';
import { FreezeTolerantTimeLimit } from '#world/clock.ts';
import type { Clock } from '#world/world.ts';

export interface TestClock extends Clock {
  /** Moves the time on and runs what is due, in order. */
  advance(milliseconds: number): void;
  /** As if the process had been stopped for so long: what is due by its end runs then, too late. */
  stop(milliseconds: number): void;
  /** As if the machine had slept for so long: the time of day has moved on, and nothing else has. */
  sleepMachine(milliseconds: number): void;
  /** How long each wait was to be: those of `sleep` and of `after`, in turn. */
  readonly waits: number[];
}

/** Starts at noon of 5 January 2026, UTC. */
export const noon = Date.UTC(2026, 0, 5, 12);

export function createTestClock(
  onWait: (milliseconds: number) => void = () => {},
  onLimit: (milliseconds: number) => void = () => {},
): TestClock {
  /** The monotonic clock, and how far the time of day has run ahead of it. */
  let now = noon;
  let asleep = 0;
  const pending = new Set<{ readonly at: number; readonly run: () => void }>();
  const waits: number[] = [];

  const start = (milliseconds: number, run: () => void) => {
    const timer = { at: now + milliseconds, run };
    pending.add(timer);
    return () => void pending.delete(timer);
  };
  const clock: TestClock = {
    waits,
    now: () => now + asleep,
    monotonic: () => now,
    limit(milliseconds, onEnd) {
      queueMicrotask(() => onLimit(milliseconds));
      return new FreezeTolerantTimeLimit(clock, start, milliseconds, onEnd);
    },
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
    stop(milliseconds) {
      now += milliseconds;
      const due = [...pending].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
      for (const timer of due) if (pending.delete(timer)) timer.run();
    },
    sleepMachine(milliseconds) {
      asleep += milliseconds;
    },
    after(milliseconds, run) {
      const cancel = start(milliseconds, run);
      waits.push(milliseconds);
      // Later, as a real clock would be.
      queueMicrotask(() => onWait(milliseconds));
      return cancel;
    },
    sleep: sleepingBy((milliseconds, run) => clock.after(milliseconds, run)),
    nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
  };
  return clock;
}

/** A clock on which every wait is over as soon as it begins. */
export function createHurriedClock(): TestClock {
  const clock = createTestClock((milliseconds) => clock.advance(milliseconds));
  return clock;
}

/** Sleeps by a timer of this kind. */
export function sleepingBy(after: Clock['after']): Clock['sleep'] {
  return (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = after(milliseconds, end);
      // Many sleeps may wait for one signal, and Node warns about the eleventh listener.
      if (signal) setMaxListeners(0, signal);
      signal?.addEventListener('abort', end);
    });
}
