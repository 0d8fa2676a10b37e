// Decides when a delivery may be sent to a target: several at once, but during an outage only one now and then, as a probe. Between
// probes this process fetches nothing, so that a forwarder that can reach the target gets the deliveries.

import type { Clock, Random } from '#world/world.ts';
import { probeDelayMs } from '../forwarding/retry-delay.ts';

/** Called once with the fault; `undefined` if the target was reached, `unused` if no attempt was made. */
export type Pass = (fault: string | 'unused' | undefined) => void;

export interface GateOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after' | 'sleep'>;
  readonly random: Random;
  readonly concurrency: number;
  /** Called when an outage begins, and with `undefined` when it ends. */
  readonly onOutage: (fault: string | undefined) => void;
}

interface Outage {
  readonly fault: string;
  readonly since: number;
  probes: number;
  isProbeDue: boolean;
}

/** Spreads the fetches when a probe is due, so that a different delivery can be the probe each time. */
const mixMs = 200;

export class SinkGate {
  readonly #options: GateOptions;
  readonly #fetching: (() => void)[] = [];
  readonly #waiting: ((pass: Pass | undefined) => void)[] = [];
  #inFlight = 0;
  #isStopped = false;
  #outage: Outage | undefined;
  #cancelProbe = () => {};

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get #isOpen(): boolean {
    return this.#isStopped || this.#outage === undefined || this.#outage.isProbeDue;
  }

  /** Resolves when a delivery should be fetched. */
  async open(): Promise<void> {
    const { clock, random } = this.#options;
    if (this.#isOpen) return;
    await new Promise<void>((resolve) => this.#fetching.push(resolve));
    if (this.#outage) await clock.sleep(mixMs * random());
  }

  /** Resolves when a delivery may be sent; to `undefined` if it should be put back. */
  enter(): Promise<Pass | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#pump();
    });
  }

  state(): { readonly inFlight: number; readonly waiting: number; readonly fault: string | undefined } {
    return { inFlight: this.#inFlight, waiting: this.#waiting.length, fault: this.#outage?.fault };
  }

  /** How long the target has been unreachable; 0 if it is reachable. */
  outageMs(): number {
    return this.#outage === undefined ? 0 : this.#options.clock.monotonic() - this.#outage.since;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelProbe();
    this.#pump();
  }

  #pump(): void {
    while (!this.#isStopped && this.#isOpen && this.#inFlight < this.#options.concurrency && this.#waiting[0])
      this.#waiting.shift()?.(this.#admit());
    if (this.#isStopped || !this.#isOpen) for (const resolve of this.#waiting.splice(0)) resolve(undefined);
    if (this.#isOpen) for (const resolve of this.#fetching.splice(0)) resolve();
  }

  #admit(): Pass {
    const before = this.#outage;
    if (before) before.isProbeDue = false;
    this.#inFlight += 1;
    return (fault) => {
      this.#inFlight -= 1;
      // If an outage has begun or ended since, the result is out of date.
      if (before === this.#outage && !this.#isStopped) this.#learn(fault);
      this.#pump();
    };
  }

  #learn(fault: string | undefined): void {
    const { clock, random, onOutage } = this.#options;
    const outage = this.#outage;
    if (fault === 'unused') {
      if (outage) outage.isProbeDue = true;
    } else if (fault === undefined) {
      this.#outage = undefined;
      if (outage) onOutage(undefined);
    } else {
      const current = outage ?? { fault, since: clock.monotonic(), probes: 0, isProbeDue: false };
      this.#outage = current;
      if (!outage) onOutage(fault);
      current.probes += 1;
      this.#cancelProbe = clock.after(probeDelayMs(current.probes, random), () => {
        current.isProbeDue = true;
        this.#pump();
      });
    }
  }
}
