// Limits the wait for the disk, with one timer for the oldest of a linked list of waits: a timer for each delivery would cost more than
// judging it. Not a Set, whose old tables keep bodies alive until a full garbage collection, at a third of the throughput.

import type { Clock } from '#world/world.ts';

export class Storing {
  /** When the wait began, on the monotonic clock. */
  readonly since: number;
  readonly expire: () => void;
  before: Storing | undefined;
  after: Storing | undefined;

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
    storing.before = this.#newest;
    if (this.#newest) this.#newest.after = storing;
    else this.#oldest = storing;
    this.#newest = storing;
    if (!this.#isTimerSet) this.#setTimer(this.#milliseconds);
  }

  /** Does nothing after the wait has expired. */
  remove(storing: Storing): void {
    const { before, after } = storing;
    if (this.#oldest === storing) this.#oldest = after;
    if (this.#newest === storing) this.#newest = before;
    if (before) before.after = after;
    if (after) after.before = before;
    storing.before = undefined;
    storing.after = undefined;
  }

  #setTimer(milliseconds: number): void {
    this.#isTimerSet = true;
    this.#clock.after(milliseconds, () => this.#expire());
  }

  #expire(): void {
    this.#isTimerSet = false;
    const now = this.#clock.monotonic();
    for (let oldest = this.#oldest; oldest; oldest = this.#oldest) {
      const left = oldest.since + this.#milliseconds - now;
      if (left > 0) {
        this.#setTimer(left);
        return;
      }
      this.remove(oldest);
      oldest.expire();
    }
  }
}
