// Sends the deliveries of one target: several at a time, in order for each subject, retrying after a backoff up to the limit. During an
// outage of the target, one delivery probes and the others wait.

import { errorMessage } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Attempt, Journal, StoredDelivery } from '../intake/delivery-journal.ts';
import { createLaneQueue, createReadyQueue } from './lane-queue.ts';
import { judgeAttempt, type RetryLimits } from './retry-delay.ts';
import type { AttemptResult, Target } from './target.ts';
import { createTargetGate, type GateOptions, type TargetGate } from './target-gate.ts';

/** A delivery that the target has not settled. */
interface Entry {
  readonly sequence: number;
  readonly receivedAt: number;
  readonly targets: readonly Target[];
  /** Attempts at this target so far, also in earlier runs. */
  attempts: number;
  /** {@link Attempt.stalledMs} */
  stalledMs: number | undefined;
  /** How many deliveries this line had forwarded when the first attempt failed, or when this run began. */
  forwardedBefore: number;
}

export interface LineOptions extends GateOptions, RetryLimits {
  readonly journal: Pick<Journal, 'record' | 'flush' | 'read' | 'hasUnfinished' | 'lastAttempts'>;
  /** Attempts at a time for each target. */
  readonly concurrency: number;
}

/** How much of a target's deliveries to read ahead. */
interface Window {
  readonly deliveries: number;
  readonly bytes: number;
}

export interface TargetState {
  readonly target: string;
  /** Deliveries that are being sent, or whose outcome is being written. */
  readonly inFlight: number;
  /** Deliveries that wait for their turn, for an earlier one of their subject, or for the end of an outage. */
  readonly waiting: number;
  /** Deliveries that failed and wait for the next attempt. */
  readonly retrying: number;
  /** Why the target cannot be reached; `undefined` if it can. */
  readonly fault: string | undefined;
  /** When the oldest delivery that the target has not settled was received, in milliseconds since 1970. */
  readonly oldest: number | undefined;
  /** More deliveries wait for the target than are in memory. */
  readonly isBehind: boolean;
}

export class TargetLine {
  readonly target: Target;
  /** A delivery has been for this target. */
  isUsed = false;
  /** The last delivery that was read, for this target or another one. */
  #lastRead = 0;
  readonly #options: LineOptions;
  readonly #window: Window;
  readonly #onChange: () => void;
  readonly #cache: ReturnType<typeof createDeliveryCache>;
  readonly #lanes = createLaneQueue<Entry>();
  /** Deliveries that can be sent: each is the first of its lanes. */
  readonly #ready = createReadyQueue<Entry>();
  readonly #retries = new Map<Entry, { readonly failedAt: number; dueAt: number; cancel: () => void }>();
  // One controller for each attempt: Node warns about a signal with many listeners.
  readonly #inFlight = new Map<Entry, AbortController>();
  readonly #gate: TargetGate;
  /** How many deliveries the target has accepted in this run. */
  #forwarded = 0;
  #isStopped = false;

  /** `onChange`: called after each attempt, whatever the result, and after each delivery that leaves. */
  constructor(target: Target, options: LineOptions, window: Window, onChange: () => void) {
    this.target = target;
    this.#options = options;
    this.#window = window;
    this.#onChange = onChange;
    this.#cache = createDeliveryCache(options.journal, window.bytes);
    this.#gate = createTargetGate(target, options, () => this.#pump());
  }

  get hasRoom(): boolean {
    return this.#lanes.size < this.#window.deliveries;
  }

  get #hasUnread(): boolean {
    return this.#options.journal.hasUnfinished(this.#lastRead + 1);
  }

  /** Takes the next unfinished delivery, unless it is for other targets or was settled earlier. */
  add(delivery: StoredDelivery, targets: readonly Target[], lanes: readonly string[]): void {
    const { sequence, receivedAt } = delivery;
    this.#lastRead = sequence;
    const last = this.#options.journal.lastAttempts(sequence);
    const attempts = countAttempts(this.target, last);
    if (!targets.includes(this.target) || attempts === undefined) return;
    this.isUsed = true;
    this.#cache.keep(delivery);
    const { stalledMs } = last.find(({ target }) => target === this.target.name) ?? { stalledMs: 0 };
    const entry = { sequence, receivedAt, targets, attempts, stalledMs, forwardedBefore: this.#forwarded };
    if (this.#lanes.add(entry, lanes)) this.#release([entry]);
  }

  state(): TargetState {
    const [inFlight, retrying] = [this.#inFlight.size, this.#retries.size];
    return {
      target: this.target.name,
      inFlight,
      waiting: this.#lanes.size - inFlight - retrying,
      retrying,
      fault: this.#gate.outage()?.fault,
      oldest: this.#lanes.items().next().value?.receivedAt,
      isBehind: !this.hasRoom && this.#hasUnread,
    };
  }

  /** The deliveries that are being sent, or whose outcome is being written. */
  inFlight(): readonly number[] {
    return Array.from(this.#inFlight.keys(), ({ sequence }) => sequence);
  }

  inMemory(): readonly number[] {
    return Array.from(this.#lanes.items(), ({ sequence }) => sequence);
  }

  /** Whether a delivery is in flight, or will be before this time on the monotonic clock. */
  isBusyBefore(time: number): boolean {
    if (this.#inFlight.size > 0 || (this.hasRoom && this.#hasUnread)) return true;
    const { nextProbeAt = time } = this.#gate.outage() ?? {};
    if (this.#ready.size > 0 && nextProbeAt <= time) return true;
    return [...this.#retries.values()].some(({ dueAt }) => dueAt <= time);
  }

  /** Ends the attempts and starts no more. An attempt in flight still counts if the target has accepted it. */
  stop(): void {
    this.#isStopped = true;
    this.#gate.stop();
    for (const { cancel } of this.#retries.values()) cancel();
    for (const controller of this.#inFlight.values()) controller.abort();
  }

  /** Each of them is now the first of all its subjects. */
  #release(entries: readonly Entry[]): void {
    if (this.#isStopped) return;
    for (const entry of entries) this.#ready.add(entry);
    // Giving up a delivery releases the next of its subject, which may be as old.
    this.#giveUp();
    this.#pump();
  }

  #pump(): void {
    while (!this.#isStopped && this.#gate.isOpen() && this.#inFlight.size < this.#options.concurrency) {
      const { failures = 0 } = this.#gate.outage() ?? {};
      // During an outage not always the oldest: the command may fail to start for that delivery alone.
      const entry = this.#ready.take(failures % Math.max(1, this.#ready.size));
      if (!entry) return;
      void this.#attempt(entry);
    }
  }

  async #attempt(entry: Entry): Promise<void> {
    const controller = new AbortController();
    this.#inFlight.set(entry, controller);
    const leaveGate = this.#gate.enter();
    const { result, delivery } = await this.#send(entry, controller.signal);
    const { verdict } = result;
    // After a stop, a delivery stays unfinished unless the target has accepted it.
    if (verdict === 'forwarded' || (verdict !== 'unavailable' && !this.#isStopped)) {
      leaveGate(result);
      if (this.#conclude(entry, result, delivery)) await this.#leave(entry);
    }
    this.#inFlight.delete(entry);
    if (verdict === 'unavailable' && !this.#isStopped) {
      this.#ready.add(entry);
      leaveGate(result);
      this.#giveUp();
    }
    this.#pump();
    this.#onChange();
  }

  /** Never rejects, whatever the target does. An unreadable delivery fails alone. */
  async #send(
    entry: Entry,
    signal: AbortSignal,
  ): Promise<{ readonly result: AttemptResult; readonly delivery?: StoredDelivery }> {
    try {
      const delivery = await this.#cache.load(entry.sequence);
      if (signal.aborted) return { result: { verdict: 'unavailable', outcome: 'aborted', milliseconds: 0 } };
      return { result: await this.target.send(delivery, entry.attempts + 1, signal), delivery };
    } catch (error) {
      const result = { verdict: 'retry', outcome: 'failed', milliseconds: 0 } as const;
      return { result: { ...result, detail: errorMessage(error) } };
    }
  }

  /** Returns false if another attempt follows. */
  #conclude(entry: Entry, result: AttemptResult, delivery: StoredDelivery | undefined): boolean {
    const { clock } = this.#options;
    if (result.verdict === 'forwarded') this.#forwarded += 1;
    if (entry.attempts === 0) entry.forwardedBefore = this.#forwarded;
    if (this.#forwarded > entry.forwardedBefore) entry.stalledMs = undefined;
    else if (entry.stalledMs !== undefined) entry.stalledMs += result.milliseconds;
    const { delay } = this.#record(entry, result, delivery);
    if (delay === undefined) return true;
    const cancel = clock.after(delay, () => this.#retry([entry]));
    const failedAt = clock.monotonic();
    this.#retries.set(entry, { failedAt, dueAt: failedAt + delay, cancel });
    return false;
  }

  /** Only these waits and the attempts count as a stall, not outages, nor the time without a receiver. */
  #retry(entries: readonly Entry[]): void {
    const now = this.#options.clock.monotonic();
    for (const entry of entries) {
      const { failedAt = now, cancel } = this.#retries.get(entry) ?? {};
      cancel?.();
      this.#retries.delete(entry);
      if (entry.stalledMs !== undefined) entry.stalledMs += Math.round(now - failedAt);
    }
    this.#release(entries);
  }

  /** Makes all retries and the next probe due. */
  retryNow(): void {
    this.#gate.probeNow();
    this.#retry([...this.#retries.keys()]);
  }

  /** `delivery`: `undefined` if it could not be read, or was given up without another attempt. */
  #record(entry: Entry, result: AttemptResult, delivery: StoredDelivery | undefined): Attempt {
    const { journal, clock, onActivity } = this.#options;
    const { outcome, milliseconds, detail } = result;
    const { sequence, targets } = entry;
    entry.attempts += 1;
    const judged = judgeAttempt(this.#options, result, entry.attempts, entry.stalledMs);
    const hasSettled = (target: Target) =>
      target === this.target
        ? judged.verdict !== 'retry'
        : countAttempts(target, journal.lastAttempts(sequence)) === undefined;
    const attempt: Attempt = {
      kind: 'attempt',
      sequence,
      time: clock.now(),
      target: this.target.name,
      attempt: entry.attempts,
      outcome,
      milliseconds,
      finishes: targets.every(hasSettled),
      ...judged,
    };
    journal.record(attempt);
    const report = (loaded: StoredDelivery) =>
      onActivity({ ...attempt, delivery: loaded, ...omitUndefined({ detail }) });
    if (delivery) report(delivery);
    // An unreadable delivery cannot be shown; the journal has its outcome.
    else void this.#cache.load(sequence).then(report, () => {});
    return attempt;
  }

  /** Releases the subject's next delivery only after this one is recorded for good: a kill must not bring it back later. */
  async #leave(entry: Entry): Promise<void> {
    this.#cache.forget(entry.sequence);
    await this.#options.journal.flush();
    this.#inFlight.delete(entry);
    const next = this.#lanes.finish(entry);
    this.#onChange();
    this.#release(next);
  }

  /** Once an outage has lasted too long, gives up old deliveries with the result of the last probe. */
  #giveUp(): void {
    const outage = this.#gate.outage();
    if (!outage?.isTooLong) return;
    for (const entry of this.#ready.takeAll(({ receivedAt }) => this.#gate.givesUp(receivedAt))) {
      this.#inFlight.set(entry, new AbortController());
      this.#record(entry, { ...outage.lastResult, milliseconds: 0 }, undefined);
      void this.#leave(entry);
    }
  }
}

/** How many attempts at the target have failed so far; `undefined` once it has the delivery, or has given it up. */
export function countAttempts({ name }: Target, attempts: ReturnType<Journal['lastAttempts']>) {
  const last = attempts.find(({ target }) => target === name);
  return last === undefined || last.verdict === 'retry' ? (last?.attempt ?? 0) : undefined;
}

/** The memory for each delivery besides its content. */
const overheadBytes = 1024;

/** Keeps up to `maxBytes` of deliveries in memory. */
export function createDeliveryCache(journal: Pick<Journal, 'read'>, maxBytes: number) {
  const deliveries = new Map<number, StoredDelivery>();
  let bytes = 0;
  return {
    keep(delivery: StoredDelivery) {
      const size = sizeOf(delivery);
      if (bytes + size > maxBytes) return;
      bytes += size;
      deliveries.set(delivery.sequence, delivery);
    },
    /** Rejects if it cannot be read. */
    async load(sequence: number) {
      const delivery = deliveries.get(sequence) ?? (await journal.read(sequence));
      if (delivery) return delivery;
      throw new Error(`The journal has dropped delivery ${sequence}`);
    },
    forget(sequence: number) {
      const delivery = deliveries.get(sequence);
      if (!delivery) return;
      deliveries.delete(sequence);
      bytes -= sizeOf(delivery);
    },
  };
}

function sizeOf({ body, headers }: StoredDelivery): number {
  return headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    overheadBytes + body.byteLength,
  );
}
