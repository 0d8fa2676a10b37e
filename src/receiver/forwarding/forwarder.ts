// Forwards the unfinished deliveries of the journal: reads them into the windows of their targets, and records each outcome. A delivery
// is finished once each target has it or has given up.
//
// One reader serves all targets. A target whose window is full falls behind, and gets its own reader until it has caught up with the
// others.

import { errorMessage } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Clock, Random } from '#world/world.ts';
import type { OnActivity } from '../intake/activity.ts';
import type { Attempt, Journal, SequenceRange, UnfinishedDelivery } from '../intake/delivery-journal.ts';
import { type DeliveredEvents, eventsOf } from '../intake/read-events.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { probeDelayMs } from './retry-delay.ts';
import { lanesOf } from './subject-lanes.ts';
import type { Target } from './target.ts';
import { type LineState, type MadeAttempt, TargetLine } from './target-line.ts';
import { createDeliveryCache, createTargetWindow, type Entry, type TargetWindow } from './target-window.ts';

export interface ForwarderOptions {
  readonly journal: Pick<Journal, 'record' | 'flush' | 'unfinished' | 'read' | 'state'>;
  /** All targets that a delivery can go to. */
  readonly targets: readonly Target[];
  chooseTargets(events: DeliveredEvents): readonly Target[];
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after' | 'limit' | 'nextTurn' | 'sleep'>;
  readonly random: Random;
  /** Attempts at a time for each target. */
  readonly concurrency: number;
  /** After this many attempts, a delivery is a dead letter. Earlier runs count; attempts that did not reach the target do not. */
  readonly maxAttempts: number;
  /** How long a delivery waits for an unavailable target. */
  readonly giveUpAfterMs: number;
  readonly onActivity: OnActivity;
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

export interface TargetState extends LineState {
  /** When the oldest delivery that the target has not settled was received, in milliseconds since 1970. */
  readonly oldest: number | undefined;
  /** More deliveries wait for the target than are in memory. */
  readonly isBehind: boolean;
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

export function startForwarder(options: ForwarderOptions): Forwarder {
  return new JournalForwarder(options);
}

class JournalForwarder implements Forwarder {
  readonly #options: ForwarderOptions;
  readonly #stopping = new AbortController();
  readonly #windows: ReadonlyMap<Target, TargetWindow>;
  readonly #allWindows: readonly TargetWindow[];
  /** The deliveries that are in a window. */
  readonly #entries = new Map<number, Entry>();
  /** The last delivery that was read for all targets that are not behind. */
  #lastRead = 0;
  readonly #reading: Promise<void>;
  #isJournalFaulty = false;
  #waiters: (() => void)[] = [];

  constructor(options: ForwarderOptions) {
    this.#options = options;
    const { journal, targets, onActivity, window: size = defaultWindow } = options;
    const maxBytes = maxCachedBytes / Math.max(1, targets.length);
    this.#windows = new Map(
      targets.map((target): [Target, TargetWindow] => {
        const line = new TargetLine(target, {
          ...options,
          onOutage: (name, fault) => onActivity({ kind: 'target', target: name, fault }),
          onIdle: () => this.#changed(),
        });
        return [target, createTargetWindow(target, line, createDeliveryCache(journal, maxBytes), size)];
      }),
    );
    this.#allWindows = [...this.#windows.values()];
    this.#reading = this.#read(
      () => ({ from: this.#lastRead + 1, to: Number.POSITIVE_INFINITY }),
      (delivery) => {
        this.#accept(delivery);
        this.#lastRead = delivery.sequence;
      },
      () => this.#canReadOn,
    );
  }

  state(): ForwarderState {
    const sending = new Set(this.#allWindows.flatMap(({ leaving, line }) => [...leaving, ...line.sending()]));
    return {
      inFlight: sending.size,
      waiting: this.#entries.size - sending.size,
      targets: this.#allWindows.filter(({ isUsed }) => isUsed).map(readTargetState),
    };
  }

  async drain(limitMs: number): Promise<void> {
    const { clock } = this.#options;
    const end = clock.monotonic() + limitMs;
    let isOver = false;
    const limit = clock.limit(limitMs, () => {
      isOver = true;
      this.#changed();
    });
    while (!isOver && !this.#isStopped && this.#isBusyBefore(end)) await this.#nextChange();
    limit.cancel();
    await this.stop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { line } of this.#allWindows) line.stop();
    this.#changed();
    await this.#reading;
    await Promise.all(this.#allWindows.map(({ catchingUp }) => catchingUp));
    while (this.#allWindows.some(({ line }) => line.state().inFlight > 0)) await this.#nextChange();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get #canReadOn(): boolean {
    return this.#windows.size === 0 || this.#allWindows.some(followsSharedReader);
  }

  #changed(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Sends a delivery that is now the first of all its subjects at this target. */
  #release(window: TargetWindow, entry: Entry): void {
    if (this.#isStopped) return;
    const { sequence, receivedAt, open } = entry;
    window.line.add({
      sequence,
      receivedAt,
      attempts: open.get(window.target) ?? 0,
      load: () => window.cache.load(sequence),
      onAttempt: (attempt) => this.#recordAttempt(window, entry, attempt),
    });
  }

  async #recordAttempt(
    window: TargetWindow,
    entry: Entry,
    { delay, detail, delivery, ...result }: MadeAttempt,
  ): Promise<void> {
    const { journal, clock, onActivity } = this.#options;
    if (result.verdict !== 'retry') entry.open.delete(window.target);
    const { sequence } = entry;
    const attempt: Attempt = {
      kind: 'attempt',
      sequence,
      time: clock.now(),
      target: window.target.name,
      ...result,
      finishes: entry.open.size === 0,
    };
    journal.record(attempt);
    const report = (loaded: StoredDelivery) =>
      onActivity({ ...attempt, delivery: loaded, ...omitUndefined({ detail, delay }) });
    if (delivery) report(delivery);
    // An unreadable delivery cannot be shown; the journal has its outcome.
    else void window.cache.load(sequence).then(report, () => {});
    if (result.verdict !== 'retry') await this.#leave(window, entry);
  }

  /** Releases the subject's next delivery only after this one is recorded for good: a kill must not bring it back later. */
  async #leave(window: TargetWindow, entry: Entry): Promise<void> {
    const { sequence } = entry;
    window.cache.forget(sequence);
    window.leaving.add(sequence);
    await this.#options.journal.flush();
    window.leaving.delete(sequence);
    entry.windows -= 1;
    if (entry.windows === 0) this.#entries.delete(sequence);
    for (const next of window.lanes.finish(entry)) this.#release(window, next);
    this.#changed();
  }

  #take(window: TargetWindow, entry: Entry, delivery: UnfinishedDelivery, lanes: readonly string[]): void {
    window.isUsed = true;
    entry.windows += 1;
    this.#entries.set(entry.sequence, entry);
    window.cache.keep(delivery);
    if (window.lanes.add(entry, lanes)) this.#release(window, entry);
  }

  /** `only`: a target that catches up; the others have had the delivery or do not need it. */
  #accept(delivery: UnfinishedDelivery, only?: TargetWindow): void {
    const { sequence, receivedAt } = delivery;
    const events = eventsOf(delivery);
    // The delivery may already be in the window of another target.
    const entry = this.#entries.get(sequence) ?? {
      sequence,
      receivedAt,
      open: openTargets(this.#options.chooseTargets(events), delivery),
      windows: 0,
    };
    const lanes = lanesOf(events);
    if (only) {
      if (entry.open.has(only.target)) this.#take(only, entry, delivery, lanes);
      return;
    }
    if (entry.open.size === 0) this.#finishUnsent(delivery);
    for (const target of entry.open.keys()) {
      const window = this.#windows.get(target);
      if (!window) throw new Error(`${target.name} is not one of the targets`);
      if (followsSharedReader(window)) this.#take(window, entry, delivery, lanes);
      else if (window.behindFrom === undefined) {
        window.behindFrom = sequence;
        window.catchingUp = this.#catchUp(window);
      }
    }
  }

  /** Finishes a delivery without a target that still needs it, such as after a change of targets. */
  #finishUnsent(delivery: UnfinishedDelivery): void {
    const last = delivery.earlier.at(-1);
    const attempt: Attempt = {
      kind: 'attempt',
      sequence: delivery.sequence,
      time: this.#options.clock.now(),
      target: last?.target ?? '',
      attempt: last?.attempt ?? 1,
      milliseconds: 0,
      outcome: 'no-target',
      verdict: last?.verdict === 'dead' ? 'dead' : 'forwarded',
      finishes: true,
    };
    this.#options.journal.record(attempt);
    this.#options.onActivity({ ...attempt, delivery });
  }

  /** Resolves at the end of the range. Never rejects: it retries, because the journal may become readable again. */
  async #read(
    range: () => SequenceRange,
    onDelivery: (delivery: UnfinishedDelivery) => void,
    hasRoom: () => boolean,
  ): Promise<void> {
    const { journal, clock, random, onActivity } = this.#options;
    const { signal } = this.#stopping;
    for (let faults = 1; !signal.aborted; faults += 1) {
      const { from } = range();
      try {
        let reads = 0;
        for await (const delivery of journal.unfinished(signal, range())) {
          if (signal.aborted) return;
          if (this.#isJournalFaulty) onActivity({ kind: 'storage', fault: undefined });
          this.#isJournalFaulty = false;
          onDelivery(delivery);
          this.#changed();
          while (!hasRoom() && !signal.aborted) await this.#nextChange();
          reads += 1;
          if (reads % readsPerTurn === 0) await clock.nextTurn();
        }
        return;
      } catch (error) {
        if (range().from > from) faults = 1;
        this.#isJournalFaulty = true;
        onActivity({ kind: 'storage', fault: `Cannot read what is stored: ${errorMessage(error)}` });
        await clock.sleep(probeDelayMs(faults, random), signal);
      }
    }
  }

  async #catchUp(window: TargetWindow): Promise<void> {
    while (window.behindFrom !== undefined && !this.#isStopped) {
      while (!window.hasRoom && !this.#isStopped) await this.#nextChange();
      const to = this.#lastRead;
      await this.#read(
        () => ({ from: window.behindFrom ?? to + 1, to }),
        (delivery) => {
          this.#accept(delivery, window);
          window.behindFrom = delivery.sequence + 1;
        },
        () => window.hasRoom,
      );
      window.behindFrom = this.#lastRead === to ? undefined : to + 1;
    }
    this.#changed();
  }

  /** Whether a delivery is in flight, or will be before this time. */
  #isBusyBefore(time: number): boolean {
    const { unfinished, lastUnfinished } = this.#options.journal.state();
    if (unfinished > 0 && this.#allWindows.some(({ leaving }) => leaving.size > 0)) return true;
    if (lastUnfinished > this.#lastRead && this.#canReadOn) return true;
    return this.#allWindows.some(({ line, behindFrom, hasRoom }) => {
      const { inFlight, waiting, fault } = line.state();
      return (
        inFlight > 0 ||
        (behindFrom !== undefined && hasRoom) ||
        (waiting > 0 && fault === undefined) ||
        line.nextAttemptAt() <= time
      );
    });
  }
}

/** Whether the target gets the next delivery of the shared reader. */
const followsSharedReader = ({ behindFrom, hasRoom }: TargetWindow) => behindFrom === undefined && hasRoom;

function readTargetState({ line, lanes, leaving, behindFrom }: TargetWindow): TargetState {
  const state = line.state();
  // Counts deliveries behind an earlier one of their subject too, which the line does not have yet.
  const waiting = lanes.size - leaving.size - state.inFlight - state.retrying;
  const oldest = lanes.oldest()?.receivedAt;
  return { ...state, waiting, oldest, isBehind: behindFrom !== undefined };
}

/** The targets that still need the delivery, with their number of attempts. */
function openTargets(targets: readonly Target[], { earlier }: UnfinishedDelivery): Map<Target, number> {
  const open = new Map<Target, number>();
  for (const target of targets) {
    const last = earlier.find((attempt) => attempt.target === target.name);
    if (last === undefined || last.verdict === 'retry') open.set(target, last?.attempt ?? 0);
  }
  return open;
}
