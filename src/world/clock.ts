// The real clock: the time of day, a monotonic time, timers and time limits. A time limit ignores freezes: a stopped process, a
// paused container, a closed laptop lid. After one, the timer is due before the data is read. So it runs in short slices, and restarts
// after a slice that ended far too late.

import { setMaxListeners } from 'node:events';
import type { Clock, TimeLimit } from './world.ts';

// setTimeout runs a longer delay at once.
const maxDelayMs = 2 ** 31 - 1;

export function createClock(): Clock {
  const clock: Clock = {
    now: Date.now,
    // Not performance.now(), which starts at 0 in each process.
    monotonic() {
      const [seconds, nanoseconds] = process.hrtime();
      return seconds * 1000 + nanoseconds / 1_000_000;
    },
    limit: (milliseconds, onEnd) => new FreezeTolerantTimeLimit(clock, startTimer, milliseconds, onEnd),
    after: (milliseconds, run) => startTimer(milliseconds, run, { keepAlive: false }),
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
    nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
  };
  return clock;
}

function startTimer(milliseconds: number, run: () => void, { keepAlive = true } = {}): () => void {
  let timer: NodeJS.Timeout;
  const wait = (remainingMs: number) => {
    const delay = Math.min(remainingMs, maxDelayMs);
    timer = setTimeout(() => (remainingMs > delay ? wait(remainingMs - delay) : run()), delay);
    if (!keepAlive) timer.unref();
  };
  wait(Math.max(0, milliseconds));
  return () => clearTimeout(timer);
}

/** While a process is stopped, both clocks advance; while the machine sleeps, only the time of day. */
type Times = Pick<Clock, 'now' | 'monotonic' | 'nextTurn'>;

const sliceMs = 1000;
/** A slice that ends this much too late, or a wall clock this much ahead, means a freeze; less, a busy machine. */
const freezeMs = 1000;
/** The first turn asks the system for ready events, the second receives them. */
const lastTurns = 2;

/** Starts at once. A class: closures would be created again for every row of a bulk run. */
export class FreezeTolerantTimeLimit implements TimeLimit {
  readonly #clock: Times;
  readonly #startTimer: Clock['after'];
  readonly #milliseconds: number;
  readonly #onEnd: (() => void) | undefined;
  #remaining: number;
  #slice = 0;
  #monotonic = 0;
  #wall = 0;
  #isOver = false;
  #stop: (() => void) | undefined;

  constructor(clock: Times, start: Clock['after'], milliseconds: number, onEnd?: () => void) {
    this.#clock = clock;
    this.#startTimer = start;
    this.#milliseconds = Math.max(0, milliseconds);
    this.#onEnd = onEnd;
    this.#remaining = this.#milliseconds;
    this.#begin();
  }

  remainingMs(): number {
    // In its last turns the limit has already ended, so a freeze does not matter.
    return this.#isOver || this.#remaining <= 0 ? 0 : Math.max(0, this.#currentRemaining());
  }

  cancel(): void {
    this.#isOver = true;
    this.#stop?.();
  }

  #begin(): void {
    this.#slice = Math.min(this.#remaining, sliceMs);
    this.#monotonic = this.#clock.monotonic();
    this.#wall = this.#clock.now();
    this.#stop = this.#startTimer(this.#slice, () => {
      this.#remaining = this.#currentRemaining();
      if (this.#remaining > 0) this.#begin();
      else void this.#end();
    });
  }

  #currentRemaining(): number {
    const ran = this.#clock.monotonic() - this.#monotonic;
    const slept = this.#clock.now() - this.#wall - ran;
    return ran > this.#slice + freezeMs || slept > freezeMs ? this.#milliseconds : this.#remaining - ran;
  }

  async #end(): Promise<void> {
    // Timers run before sockets are read: data that arrived in time may be unread.
    for (let turn = 0; turn < lastTurns && !this.#isOver; turn++) await this.#clock.nextTurn();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd?.();
  }
}
