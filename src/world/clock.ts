// The time of day, and waiting for a later one.

import type { Clock } from './world.ts';

// The longest delay that setTimeout takes; a longer one would run at once.
const longest = 2 ** 31 - 1;

export function createClock(): Clock {
  return {
    now: () => Date.now(),
    after: (milliseconds, run) => start(milliseconds, run, false),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          cancel();
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const cancel = start(milliseconds, wake, true);
        signal?.addEventListener('abort', wake, { once: true });
      }),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

function start(milliseconds: number, run: () => void, keepAlive: boolean): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number) => {
    const step = Math.min(left, longest);
    timer = setTimeout(() => (left > step ? wait(left - step) : run()), step);
    if (!keepAlive) timer.unref();
  };
  wait(Math.max(0, milliseconds));
  return () => clearTimeout(timer);
}
