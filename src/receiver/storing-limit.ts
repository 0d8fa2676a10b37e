// Ends the wait for the disk. All waits are equally long, so one timer for the oldest serves them all: one for each delivery
// would cost more than judging it.

import type { Clock } from '../world/world.ts';

export interface Storing {
  /** When it began, on the monotonic clock. */
  readonly since: number;
  expire(): void;
}

export class StoringLimit {
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly #milliseconds: number;
  /** In the order in which they began. */
  readonly #waiting = new Set<Storing>();
  #isTimerSet = false;

  constructor(clock: Pick<Clock, 'monotonic' | 'after'>, milliseconds: number) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
  }

  /** `expire` runs once the limit has passed, unless it is removed before. */
  add(storing: Storing): void {
    this.#waiting.add(storing);
    if (!this.#isTimerSet) this.#setTimer(this.#milliseconds);
  }

  remove(storing: Storing): void {
    this.#waiting.delete(storing);
  }

  #setTimer(milliseconds: number): void {
    this.#isTimerSet = true;
    this.#clock.after(milliseconds, () => this.#expire());
  }

  #expire(): void {
    this.#isTimerSet = false;
    const now = this.#clock.monotonic();
    for (const storing of this.#waiting) {
      const left = storing.since + this.#milliseconds - now;
      if (left > 0) {
        this.#setTimer(left);
        return;
      }
      this.#waiting.delete(storing);
      storing.expire();
    }
  }
}
