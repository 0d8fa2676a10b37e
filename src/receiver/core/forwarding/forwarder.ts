// Forwards the unfinished deliveries of the journal: reads them into memory for each target, whose line sends them and records each
// outcome. A delivery is finished once each of its targets has it or has given up.
//
// Each target has its own reader, which stops while enough deliveries of the target are in memory.

import type { Clock } from '#world/world.ts';
import type { Attempt, Journal, StoredDelivery } from '../intake/delivery-journal.ts';
import { type DeliveredEvents, eventsOf } from '../intake/read-events.ts';
import { lanesOf } from './subject-lanes.ts';
import type { Target } from './target.ts';
import { countAttempts, type LineOptions, TargetLine, type TargetState } from './target-line.ts';

export interface ForwarderOptions extends LineOptions {
  readonly journal: LineOptions['journal'] & Pick<Journal, 'unfinished'>;
  readonly targets: readonly Target[];
  chooseTargets(events: DeliveredEvents): readonly Target[];
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after' | 'limit' | 'nextTurn' | 'sleep'>;
  /** How many unfinished deliveries to read ahead for each target. */
  readonly window?: number;
}

export interface ForwarderState {
  /** Deliveries that are being sent, or whose outcome is being written. */
  readonly inFlight: number;
  /** Deliveries in memory that wait: for their turn, a backoff or an earlier delivery. */
  readonly waiting: number;
  readonly targets: readonly TargetState[];
}

export interface Forwarder {
  state(): ForwarderState;
  /** Forwards what it can within the limit, then stops. Stops earlier if no delivery can be sent within it. */
  drain(limitMs: number): Promise<void>;
  /** Ends the attempts in flight; their deliveries stay unfinished. Resolves after the last outcome is recorded. */
  stop(): Promise<void>;
}

const defaultWindow = 10_000;
/** Limits the deliveries in memory of all windows; the others are read again when they are due. */
const maxCachedBytes = 64 * 1024 * 1024;
/** Reads between two turns of the event loop, so that a long backlog does not keep senders waiting. */
const readsPerTurn = 50;

export class JournalForwarder implements Forwarder {
  readonly #options: ForwarderOptions;
  readonly #stopping = new AbortController();
  readonly stopping = this.#stopping.signal;
  readonly #lines: readonly TargetLine[];
  /** The last delivery that any of the readers has read. */
  #lastRead = 0;
  readonly #reading: Promise<unknown>;
  #waiters: (() => void)[] = [];

  constructor(options: ForwarderOptions) {
    this.#options = options;
    const { targets, window: deliveries = defaultWindow } = options;
    const window = { deliveries, bytes: maxCachedBytes / Math.max(1, targets.length) };
    this.#lines = targets.map((target) => new TargetLine(target, options, window, () => this.#changed()));
    const readers = targets.length === 0 ? [undefined] : this.#lines;
    this.#reading = Promise.all(readers.map((line) => this.#read(line)));
  }

  state(): ForwarderState {
    const inFlight = new Set(this.#lines.flatMap((line) => line.inFlight())).size;
    const inMemory = new Set(this.#lines.flatMap((line) => line.inMemory())).size;
    return {
      inFlight,
      waiting: inMemory - inFlight,
      targets: this.#lines.filter(({ isUsed }) => isUsed).map((line) => line.state()),
    };
  }

  /** Retries at once what waits for its next attempt. Returns how many deliveries wait. */
  retryNow(): number {
    const { waiting } = this.state();
    for (const line of this.#lines) line.retryNow();
    return waiting;
  }

  async drain(limitMs: number): Promise<void> {
    const { clock } = this.#options;
    const end = clock.monotonic() + limitMs;
    let isOver = false;
    const limit = clock.limit(limitMs, () => {
      isOver = true;
      this.#changed();
    });
    const isBusy = () => this.#lines.some((line) => line.isBusyBefore(end));
    while (!isOver && !this.#stopping.signal.aborted && isBusy()) await this.#nextChange();
    limit.cancel();
    await this.stop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const line of this.#lines) line.stop();
    this.#changed();
    await this.#reading;
    while (this.#lines.some((line) => line.inFlight().length > 0)) await this.#nextChange();
  }

  #changed(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Reads until the forwarder stops. */
  async #read(line: TargetLine | undefined): Promise<void> {
    const { journal, clock, chooseTargets } = this.#options;
    const { signal } = this.#stopping;
    let reads = 0;
    for await (const delivery of journal.unfinished(signal)) {
      if (signal.aborted) return;
      const events = eventsOf(delivery);
      const targets = chooseTargets(events);
      const attempts = journal.lastAttempts(delivery.sequence);
      const isFirst = delivery.sequence > this.#lastRead;
      if (isFirst) this.#lastRead = delivery.sequence;
      // Only the first of the readers may finish it.
      if (isFirst && targets.every((target) => countAttempts(target, attempts) === undefined))
        this.#finishUnsent(delivery);
      else line?.add(delivery, targets, lanesOf(events));
      this.#changed();
      while (line?.hasRoom === false && !signal.aborted) await this.#nextChange();
      reads += 1;
      if (reads % readsPerTurn === 0) await clock.nextTurn();
    }
  }

  /** Finishes a delivery without a target that still needs it, such as after a change of targets. */
  #finishUnsent(delivery: StoredDelivery): void {
    const { journal, clock, onActivity } = this.#options;
    const last = journal.lastAttempts(delivery.sequence).at(-1);
    const attempt: Attempt = {
      kind: 'attempt',
      sequence: delivery.sequence,
      time: clock.now(),
      target: last?.target ?? '',
      attempt: last?.attempt ?? 1,
      milliseconds: 0,
      outcome: 'no-target',
      verdict: last?.verdict === 'dead' ? 'dead' : 'forwarded',
      finishes: true,
    };
    journal.record(attempt);
    onActivity({ ...attempt, delivery });
  }
}
