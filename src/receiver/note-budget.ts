// Limits how many rejected requests the journal notes. Anyone can send them, thousands each second, and they would fill the disk
// on which deliveries are stored. Whoever shows activities still hears of each.

const burst = 60;
const perSecond = 1;

export class NoteBudget {
  readonly #monotonic: () => number;
  #left = burst;
  #at: number;

  /** `monotonic`: milliseconds of a clock that nobody can set. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
    this.#at = monotonic();
  }

  /** True if one more may be noted now. */
  take(): boolean {
    const now = this.#monotonic();
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
