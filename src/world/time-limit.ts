// A time limit that a freeze does not use up. A process that was stopped, a paused container and a closed laptop lid all
// look alike afterwards: the timer is due, and what it waited for lies unread. So the limit runs in short slices, and
// starts again after a slice that ended far too late, or during which the time of day ran away from the monotonic clock.

import type { TimeLimit } from './world.ts';

/** What a time limit needs of a clock. */
export interface TimeSource {
  /** Milliseconds that nobody can set. They run on while a process is stopped, and stand while the machine sleeps. */
  monotonic(): number;
  /** Milliseconds since 1970-01-01T00:00:00Z: what a machine that slept has caught up with. */
  wall(): number;
  /** Runs once, later; the result cancels it. */
  start(milliseconds: number, run: () => void): () => void;
  /** Resolves after whatever else is ready by now. */
  turn(): Promise<void>;
}

/** How soon a freeze is noticed, in milliseconds. */
const sliceMs = 1000;
/** Later than this, or further ahead, is a freeze; less is a busy machine. In milliseconds. */
const freezeMs = 1000;
/** The first turn asks the system for what is ready, the second hears of it. */
const lastTurns = 2;

const nothing = () => {};

/** Starts at once. A class, since a bulk run would make its functions anew for every row. */
export class FreezeTolerantTimeLimit implements TimeLimit {
  readonly #timing: TimeSource;
  readonly #milliseconds: number;
  readonly #onEnd: () => void;
  #left: number;
  #slice = 0;
  #monotonic = 0;
  #wall = 0;
  #isOver = false;
  #stop: () => void = nothing;

  constructor(timing: TimeSource, milliseconds: number, onEnd: () => void = nothing) {
    this.#timing = timing;
    this.#milliseconds = Math.max(0, milliseconds);
    this.#onEnd = onEnd;
    this.#left = this.#milliseconds;
    this.#begin();
  }

  leftMs(): number {
    // In its last turns it has ended already, and a freeze is nothing to it.
    return this.#isOver || this.#left <= 0 ? 0 : Math.max(0, this.#leftNow());
  }

  cancel(): void {
    this.#isOver = true;
    this.#stop();
  }

  #begin(): void {
    this.#slice = Math.min(this.#left, sliceMs);
    this.#monotonic = this.#timing.monotonic();
    this.#wall = this.#timing.wall();
    this.#stop = this.#timing.start(this.#slice, () => {
      this.#left = this.#leftNow();
      if (this.#left > 0) this.#begin();
      else void this.#end();
    });
  }

  #leftNow(): number {
    const ran = this.#timing.monotonic() - this.#monotonic;
    const slept = this.#timing.wall() - this.#wall - ran;
    return ran > this.#slice + freezeMs || slept > freezeMs ? this.#milliseconds : this.#left - ran;
  }

  async #end(): Promise<void> {
    // Timers run before sockets are read, so what came in time may not have been heard yet.
    for (let turn = 0; turn < lastTurns && !this.#isOver; turn++) await this.#timing.turn();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
  }
}
