// Forwards the unfinished deliveries of the journal: reads them into memory for their targets, whose lines send them and record each
// outcome. A delivery is finished once each target has it or has given up.
//
// One reader serves all targets. A target with too many deliveries in memory falls behind, and gets its own reader until it has caught up
// with the others.

import type { Clock } from '#world/world.ts';
import type { Attempt, Journal, SequenceRange, UnfinishedDelivery } from '../intake/delivery-journal.ts';
import { type DeliveredEvents, eventsOf } from '../intake/read-events.ts';
import { lanesOf } from './subject-lanes.ts';
import type { Target } from './target.ts';
import { type Entry, type LineOptions, TargetLine, type TargetState } from './target-line.ts';

export interface ForwarderOptions extends LineOptions {
  readonly journal: Pick<Journal, 'record' | 'flush' | 'unfinished' | 'hasUnfinished' | 'read'>;
  /** All targets that a delivery can go to. */
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
  readonly #lines: readonly TargetLine[];
  /** The deliveries in memory. */
  readonly #entries = new Map<number, Entry>();
  /** The last delivery that was read for all targets that are not behind. */
  #lastRead = 0;
  readonly #reading: Promise<void>;
  #waiters: (() => void)[] = [];

  constructor(options: ForwarderOptions) {
    this.#options = options;
    const { targets, window: deliveries = defaultWindow } = options;
    const window = { deliveries, bytes: maxCachedBytes / Math.max(1, targets.length) };
    const onChange = (left?: Entry) => {
      if (left?.holders === 0) this.#entries.delete(left.sequence);
      this.#changed();
    };
    this.#lines = targets.map((target) => new TargetLine(target, options, window, onChange));
    this.#reading = this.#read(
      undefined,
      (delivery) => {
        this.#accept(delivery);
        this.#lastRead = delivery.sequence;
      },
      () => this.#canReadOn,
    );
  }

  state(): ForwarderState {
    const inFlight = new Set(this.#lines.flatMap((line) => line.inFlight())).size;
    return {
      inFlight,
      waiting: this.#entries.size - inFlight,
      targets: this.#lines.filter(({ isUsed }) => isUsed).map((line) => line.state()),
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
    for (const line of this.#lines) line.stop();
    this.#changed();
    await this.#reading;
    await Promise.all(this.#lines.map(({ catchingUp }) => catchingUp));
    while (this.#lines.some((line) => line.inFlight().length > 0)) await this.#nextChange();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get #canReadOn(): boolean {
    return this.#lines.length === 0 || this.#lines.some(followsSharedReader);
  }

  #changed(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #take(line: TargetLine, entry: Entry, delivery: UnfinishedDelivery, lanes: readonly string[]): void {
    this.#entries.set(entry.sequence, entry);
    line.add(entry, delivery, lanes);
  }

  /** `only`: the line of a target that catches up; the others have had the delivery or do not need it. */
  #accept(delivery: UnfinishedDelivery, only?: TargetLine): void {
    const { sequence, receivedAt } = delivery;
    const events = eventsOf(delivery);
    // Another target may have the delivery in memory already.
    const entry = this.#entries.get(sequence) ?? {
      sequence,
      receivedAt,
      open: openTargets(this.#options.chooseTargets(events), delivery),
      holders: 0,
    };
    const lanes = lanesOf(events);
    if (only) {
      if (entry.open.has(only.target)) this.#take(only, entry, delivery, lanes);
      return;
    }
    if (entry.open.size === 0) this.#finishUnsent(delivery);
    for (const target of entry.open.keys()) {
      const line = this.#lines.find((one) => one.target === target);
      if (!line) throw new Error(`${target.name} is not one of the targets`);
      if (followsSharedReader(line)) this.#take(line, entry, delivery, lanes);
      else if (line.behindFrom === undefined) {
        line.behindFrom = sequence;
        line.catchingUp = this.#catchUp(line);
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

  /** Resolves at the end of the range; without a range, when the forwarder stops. */
  async #read(
    range: SequenceRange | undefined,
    onDelivery: (delivery: UnfinishedDelivery) => void,
    hasRoom: () => boolean,
  ): Promise<void> {
    const { journal, clock } = this.#options;
    const { signal } = this.#stopping;
    let reads = 0;
    for await (const delivery of journal.unfinished(signal, range)) {
      if (signal.aborted) return;
      onDelivery(delivery);
      this.#changed();
      while (!hasRoom() && !signal.aborted) await this.#nextChange();
      reads += 1;
      if (reads % readsPerTurn === 0) await clock.nextTurn();
    }
  }

  async #catchUp(line: TargetLine): Promise<void> {
    while (line.behindFrom !== undefined && !this.#isStopped) {
      while (!line.hasRoom && !this.#isStopped) await this.#nextChange();
      const to = this.#lastRead;
      await this.#read(
        { from: line.behindFrom, to },
        (delivery) => {
          this.#accept(delivery, line);
          line.behindFrom = delivery.sequence + 1;
        },
        () => line.hasRoom,
      );
      line.behindFrom = this.#lastRead === to ? undefined : to + 1;
    }
    this.#changed();
  }

  /** Whether a delivery is in flight, or will be before this time. */
  #isBusyBefore(time: number): boolean {
    if (this.#canReadOn && this.#options.journal.hasUnfinished(this.#lastRead + 1)) return true;
    return this.#lines.some((line) => line.isBusyBefore(time));
  }
}

/** Whether the target gets the next delivery of the shared reader. */
const followsSharedReader = ({ behindFrom, hasRoom }: TargetLine) => behindFrom === undefined && hasRoom;

/** The targets that still need the delivery, with their number of attempts. */
function openTargets(targets: readonly Target[], { earlier }: UnfinishedDelivery): Map<Target, number> {
  const open = new Map<Target, number>();
  for (const target of targets) {
    const last = earlier.find((attempt) => attempt.target === target.name);
    if (last === undefined || last.verdict === 'retry') open.set(target, last?.attempt ?? 0);
  }
  return open;
}
