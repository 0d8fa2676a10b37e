// Limits the notes about rejected requests, so that strangers cannot fill the disk. After some notes in a minute, only the last one is
// written, with the number of rejections that it stands for.

import type { Clock } from '#world/world.ts';
import type { Rejection } from '../intake/delivery-journal.ts';

const minuteMs = 60_000;
const mostInMinute = 60;

export class RejectionLimit {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #write: (note: Rejection) => void;
  #written = 0;
  #leftOut = 0;
  /** The last rejection that was left out. */
  #last: Rejection | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Pick<Clock, 'after'>, write: (note: Rejection) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  add(note: Rejection): void {
    this.#cancel ??= this.#clock.after(minuteMs, () => this.end());
    if (this.#written < mostInMinute) {
      this.#written += 1;
      this.#write(note);
      return;
    }
    if (this.#last) this.#leftOut += 1;
    this.#last = note;
  }

  /** Ends the minute. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#last) this.#write({ ...this.#last, leftOut: this.#leftOut });
    this.#written = 0;
    this.#leftOut = 0;
    this.#last = undefined;
  }
}
