// The real clock: the time of day, a monotonic time, timers and time limits.

import { setMaxListeners } from 'node:events';
import { FreezeTolerantTimeLimit, type TimeSource } from './time-limit.ts';
import type { Clock } from './world.ts';

// setTimeout runs a longer delay at once.
const maxDelayMs = 2 ** 31 - 1;

export function createClock(): Clock {
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const timing: TimeSource = {
    // Not performance.now(), which starts at 0 in each process.
    monotonic: () => {
      const [seconds, nanoseconds] = process.hrtime();
      return seconds * 1000 + nanoseconds / 1_000_000;
    },
    wall: Date.now,
    start: startTimer,
    turn,
  };
  return {
    now: Date.now,
    monotonic: timing.monotonic,
    limit: (milliseconds, onEnd) => new FreezeTolerantTimeLimit(timing, milliseconds, onEnd),
    after: (milliseconds, run) => startTimer(milliseconds, run, false),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          cancel();
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const cancel = startTimer(milliseconds, wake);
        // Many sleeps may wait for one signal, and Node warns about the eleventh listener.
        if (signal) setMaxListeners(0, signal);
        signal?.addEventListener('abort', wake, { once: true });
      }),
    nextTurn: turn,
  };
}

function startTimer(milliseconds: number, run: () => void, keepAlive = true): () => void {
  let timer: NodeJS.Timeout;
  const wait = (remainingMs: number) => {
    const delay = Math.min(remainingMs, maxDelayMs);
    timer = setTimeout(() => (remainingMs > delay ? wait(remainingMs - delay) : run()), delay);
    if (!keepAlive) timer.unref();
  };
  wait(Math.max(0, milliseconds));
  return () => clearTimeout(timer);
}
