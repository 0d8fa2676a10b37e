// Forwards what the journal holds: reads the unfinished deliveries into the windows of their targets, and marks what became of each. A
// delivery is finished when it was forwarded to, or given up for, each of its targets.
//
// One reader reads for all targets. A target whose window is full is left behind: from then on it has a reader of its own, which goes
// on where the target has room again, until it has caught up with the others.

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
import { createTargetWindow, type Entry, type TargetWindow } from './target-window.ts';

export interface ForwarderOptions {
  readonly journal: Pick<Journal, 'mark' | 'written' | 'unfinished' | 'read' | 'state'>;
  /** All that are chosen from. */
  readonly targets: readonly Target[];
  chooseTargets(found: DeliveredEvents): readonly Target[];
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after' | 'limit' | 'nextTurn' | 'sleep'>;
  readonly random: Random;
  /** Attempts at the same time, for each target. */
  readonly concurrency: number;
  /** After this many, a delivery is a dead letter. Attempts of earlier runs count; those that did not reach the target do not. */
  readonly maxAttempts: number;
  /** How long a delivery waits for an unavailable target. */
  readonly giveUpAfterMs: number;
  readonly onActivity: OnActivity;
  /** How many unfinished deliveries are read ahead at most, for each target. */
  readonly window?: number;
}

export interface ForwarderState {
  /** Deliveries that are being sent, or whose end is being written. */
  readonly inFlight: number;
  /** Deliveries that were read and are not in flight, whatever they wait for: their turn, a backoff, one before them. */
  readonly waiting: number;
  readonly targets: readonly TargetState[];
}

export interface TargetState extends LineState {
  /** When the oldest delivery that it has not settled was received, in milliseconds since 1970; `undefined` if there is none. */
  readonly oldest: number | undefined;
  /** More wait for it than are in memory. */
  readonly isBehind: boolean;
}

export interface Forwarder {
  state(): ForwarderState;
  /**
   * Forwards what can be forwarded within the limit, then stops. Resolves earlier if nothing is left, or if nothing left would
   * be sent within the limit: it waits for a target, or for a backoff. How many deliveries stay unfinished.
   */
  drain(limitMs: number): Promise<number>;
  /** Ends the attempts in flight; their deliveries stay unfinished. Resolves when nothing is marked any more. */
  stop(): Promise<void>;
}

const defaultWindow = 10_000;
/** Of the deliveries in all windows; the others are read again when it is their turn. */
const mostCachedBytes = 64 * 1024 * 1024;
/** Between two turns of the event loop, so that a long backlog does not keep the sender waiting. */
const readsPerTurn = 50;

export function startForwarder(options: ForwarderOptions): Forwarder {
  const forwarder = new JournalForwarder(options);
  forwarder.start();
  return forwarder;
}

class JournalForwarder implements Forwarder {
  readonly #options: ForwarderOptions;
  readonly #stopping = new AbortController();
  readonly #windows: ReadonlyMap<Target, TargetWindow>;
  readonly #all: readonly TargetWindow[];
  /** Those that are in a window. */
  readonly #entries = new Map<number, Entry>();
  /** The last one that was read for all targets but those that are behind. */
  #lastRead = 0;
  #reading = Promise.resolve();
  #isJournalFaulty = false;
  #waiters: (() => void)[] = [];

  constructor(options: ForwarderOptions) {
    this.#options = options;
    const { journal, targets, onActivity, window: size = defaultWindow } = options;
    const mostBytes = mostCachedBytes / Math.max(1, targets.length);
    this.#windows = new Map(
      targets.map((target): [Target, TargetWindow] => {
        const line = new TargetLine(target, {
          ...options,
          onOutage: (name, fault) => onActivity({ kind: 'target', target: name, fault }),
          onIdle: () => this.#changed(),
        });
        return [target, createTargetWindow(target, line, { journal, size, mostBytes })];
      }),
    );
    this.#all = [...this.#windows.values()];
  }

  start(): void {
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
    const sending = new Set(this.#all.flatMap(({ leaving, line }) => [...leaving, ...line.sending()]));
    return {
      inFlight: sending.size,
      waiting: this.#entries.size - sending.size,
      targets: this.#all.filter(({ isUsed }) => isUsed).map(targetState),
    };
  }

  async drain(limitMs: number): Promise<number> {
    const { clock, journal } = this.#options;
    const end = clock.monotonic() + limitMs;
    let isOver = false;
    const limit = clock.limit(limitMs, () => {
      isOver = true;
      this.#changed();
    });
    while (!isOver && !this.#isStopped && this.#isBusyBefore(end)) await this.#nextChange();
    limit.cancel();
    await this.stop();
    return journal.state().unfinished;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { line } of this.#all) line.stop();
    this.#changed();
    await this.#reading;
    await Promise.all(this.#all.map(({ catchingUp }) => catchingUp));
    while (this.#all.some(({ line }) => line.state().inFlight > 0)) await this.#nextChange();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get #canReadOn(): boolean {
    return this.#windows.size === 0 || this.#all.some(isWithOthers);
  }

  #changed(): void {
    const resolved = this.#waiters;
    this.#waiters = [];
    for (const resolve of resolved) resolve();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** The delivery is the first unsettled one of all its subjects at this target. */
  #release(own: TargetWindow, entry: Entry): void {
    if (this.#isStopped) return;
    const { sequence, receivedAt, open } = entry;
    own.line.add({
      sequence,
      receivedAt,
      attempts: open.get(own.target) ?? 0,
      load: () => own.cache.load(sequence),
      onAttempt: (made) => this.#record(own, entry, made),
    });
  }

  async #record(
    own: TargetWindow,
    entry: Entry,
    { delay, detail, delivery, ...made }: MadeAttempt,
  ): Promise<void> {
    const { journal, clock, onActivity } = this.#options;
    if (made.verdict !== 'retry') entry.open.delete(own.target);
    const { sequence } = entry;
    const attempt: Attempt = {
      kind: 'attempt',
      sequence,
      time: clock.now(),
      target: own.target.name,
      ...made,
      finishes: entry.open.size === 0,
    };
    journal.mark(attempt);
    const report = (known: StoredDelivery) =>
      onActivity({ ...attempt, delivery: known, ...omitUndefined({ detail, delay }) });
    if (delivery) report(delivery);
    // One that cannot be read cannot be shown either; the journal has what became of it.
    else void own.cache.load(sequence).then(report, () => {});
    if (made.verdict !== 'retry') await this.#leave(own, entry);
  }

  /** The next of its subject must not be sent before a kill could no longer bring this one back, and behind it. */
  async #leave(own: TargetWindow, entry: Entry): Promise<void> {
    const { sequence } = entry;
    own.cache.forget(sequence);
    own.leaving.add(sequence);
    await this.#options.journal.written();
    own.leaving.delete(sequence);
    entry.windows -= 1;
    if (entry.windows === 0) this.#entries.delete(sequence);
    for (const next of own.lanes.finish(entry)) this.#release(own, next);
    this.#changed();
  }

  #take(own: TargetWindow, entry: Entry, delivery: UnfinishedDelivery, lanes: readonly string[]): void {
    own.isUsed = true;
    entry.windows += 1;
    this.#entries.set(entry.sequence, entry);
    own.cache.keep(delivery);
    if (own.lanes.add(entry, lanes)) this.#release(own, entry);
  }

  /** `only`: it catches up, and the others have it already, or do not need it. */
  #accept(delivery: UnfinishedDelivery, only?: TargetWindow): void {
    const { sequence, receivedAt } = delivery;
    const events = eventsOf(delivery);
    // It may be in the window of another target by now.
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
      const own = this.#windows.get(target);
      if (!own) throw new Error(`${target.name} is not one of the targets`);
      if (isWithOthers(own)) this.#take(own, entry, delivery, lanes);
      else if (own.behindFrom === undefined) {
        own.behindFrom = sequence;
        own.catchingUp = this.#catchUp(own);
      }
    }
  }

  /** It has no target, or none any more that has not taken it: the targets are not those of an earlier run. */
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
    this.#options.journal.mark(attempt);
    this.#options.onActivity({ ...attempt, delivery });
  }

  /** Resolves at the end of the range. Never rejects: without the journal nothing can be forwarded, but the journal may come back. */
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
        const reason = error instanceof Error ? error.message : String(error);
        this.#isJournalFaulty = true;
        onActivity({ kind: 'storage', fault: `Cannot read what is stored: ${reason}` });
        await clock.sleep(probeDelayMs(faults, random), signal);
      }
    }
  }

  async #catchUp(own: TargetWindow): Promise<void> {
    while (own.behindFrom !== undefined && !this.#isStopped) {
      while (!own.hasRoom && !this.#isStopped) await this.#nextChange();
      const to = this.#lastRead;
      await this.#read(
        () => ({ from: own.behindFrom ?? to + 1, to }),
        (delivery) => {
          this.#accept(delivery, own);
          own.behindFrom = delivery.sequence + 1;
        },
        () => own.hasRoom,
      );
      own.behindFrom = this.#lastRead === to ? undefined : to + 1;
    }
    this.#changed();
  }

  /** Whether something is in flight, or will be before this time. */
  #isBusyBefore(time: number): boolean {
    const { unfinished, lastUnfinished } = this.#options.journal.state();
    if (unfinished > 0 && this.#all.some(({ leaving }) => leaving.size > 0)) return true;
    if (lastUnfinished > this.#lastRead && this.#canReadOn) return true;
    return this.#all.some(({ line, behindFrom, hasRoom }) => {
      const { inFlight, waiting, fault } = line.state();
      return (
        inFlight > 0 ||
        (behindFrom !== undefined && hasRoom) ||
        (waiting > 0 && fault === undefined) ||
        (line.nextAttemptAt() ?? Number.POSITIVE_INFINITY) <= time
      );
    });
  }
}

/** It gets the next delivery that is read for all. */
const isWithOthers = ({ behindFrom, hasRoom }: TargetWindow) => behindFrom === undefined && hasRoom;

function targetState({ line, lanes, leaving, behindFrom }: TargetWindow): TargetState {
  const state = line.state();
  // Also what waits behind an earlier delivery of its subject, which the line does not have yet.
  const waiting = lanes.size - leaving.size - state.inFlight - state.retrying;
  const oldest = lanes.oldest()?.receivedAt;
  return { ...state, waiting, oldest, isBehind: behindFrom !== undefined };
}

/** Those that have neither taken it nor been given up for. */
function openTargets(targets: readonly Target[], { earlier }: UnfinishedDelivery): Map<Target, number> {
  const open = new Map<Target, number>();
  for (const target of targets) {
    const last = earlier.find((attempt) => attempt.target === target.name);
    if (last === undefined || last.verdict === 'retry') open.set(target, last?.attempt ?? 0);
  }
  return open;
}
