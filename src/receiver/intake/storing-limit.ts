// Limits the wait for the disk, with one timer for the oldest of a linked list of waits: a timer for each delivery would cost more than
// judging it. Not a Set, whose old tables keep bodies alive until a full garbage collection, at a third of the throughput.

import type { Clock } from '#world/world.ts';

export class Storing {
  /** When the wait began, on the monotonic clock. */
  readonly since: number;
  readonly expire: () => void;
  previous: Storing | undefined;
  next: Storing | undefined;

  constructor(since: number, expire: () => void) {
    this.since = since;
    this.expire = expire;
  }
}

export class StoringLimit {
  readonly #clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly #milliseconds: number;
  #oldest: Storing | undefined;
  #newest: Storing | undefined;
  #isTimerSet = false;

  constructor(clock: Pick<Clock, 'monotonic' | 'after'>, milliseconds: number) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
  }

  /** Calls `expire` after the limit, unless the wait is removed first. */
  add(storing: Storing): void {
    storing.previous = this.#newest;
    if (this.#newest) this.#newest.next = storing;
    else this.#oldest = storing;
    this.#newest = storing;
    if (!this.#isTimerSet) this.#setTimer(this.#milliseconds);
  }

  /** Does nothing after the wait has expired. */
  remove(storing: Storing): void {
    const { previous, next } = storing;
    if (this.#oldest === storing) this.#oldest = next;
    if (this.#newest === storing) this.#newest = previous;
    if (previous) previous.next = next;
    if (next) next.previous = previous;
    storing.previous = undefined;
    storing.next = undefined;
  }

  #setTimer(milliseconds: number): void {
    this.#isTimerSet = true;
    this.#clock.after(milliseconds, () => this.#expire());
  }

  #expire(): void {
    this.#isTimerSet = false;
    const now = this.#clock.monotonic();
    for (let oldest = this.#oldest; oldest; oldest = this.#oldest) {
      const remaining = oldest.since + this.#milliseconds - now;
      if (remaining > 0) {
        this.#setTimer(remaining);
        return;
      }
      this.remove(oldest);
      oldest.expire();
    }
  }
}
