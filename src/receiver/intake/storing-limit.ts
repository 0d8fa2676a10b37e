// Ends the wait for the disk. All waits are equally long, so one timer for the oldest serves them all; a timer for each delivery
// would cost more than judging it. The waits form a linked list, the oldest first. A Set would be as short, but its old tables keep
// deliveries and their bodies alive until the next full garbage collection, which costs a third of the throughput.

import type { Clock } from '#world/world.ts';

export class Storing {
  /** When it began, on the monotonic clock. */
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

  /** `expire` runs once the limit has passed, unless the wait is removed first. */
  add(storing: Storing): void {
    storing.before = this.#newest;
    if (this.#newest) this.#newest.after = storing;
    else this.#oldest = storing;
    this.#newest = storing;
    if (!this.#isTimerSet) this.#setTimer(this.#milliseconds);
  }

  /** Does nothing if it has expired. */
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
