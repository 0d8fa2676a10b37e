// Forwards what the journal holds: reads the unfinished deliveries into a window, keeps those of one subject in order, hands each
// to its targets, and marks what became of it. A delivery is finished when it was forwarded to, or given up for, each of its targets.

import type { Clock, Random } from '../../world/world.ts';
import type { OnActivity } from '../activity.ts';
import type { Attempt, Journal, UnfinishedDelivery } from '../delivery-journal.ts';
import { type DeliveredEvent, readEvents } from '../read-events.ts';
import type { StoredDelivery } from '../stored-delivery.ts';
import { createDeliveryCache } from './delivery-cache.ts';
import { createLaneQueue } from './lane-queue.ts';
import { probeDelayMs } from './retry-delay.ts';
import { lanesOf } from './subject-lanes.ts';
import type { Target } from './target.ts';
import { createTargetLine, type LineState, type MadeAttempt, type TargetLine } from './target-line.ts';

export interface ForwarderOptions {
  readonly journal: Pick<Journal, 'mark' | 'written' | 'unfinished' | 'read' | 'state'>;
  /** Must return the same target each time for the same name. */
  chooseTargets(events: readonly DeliveredEvent[]): readonly Target[];
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after' | 'limit' | 'nextTurn' | 'sleep'>;
  readonly random: Random;
  /** Attempts at the same time, for each target. */
  readonly concurrency: number;
  /** After this many, a delivery is a dead letter. Attempts of earlier runs count; those that did not reach the target do not. */
  readonly maxAttempts: number;
  /** How long a delivery waits for an unavailable target. */
  readonly giveUpAfterMs: number;
  readonly onActivity: OnActivity;
  /** How many unfinished deliveries are read ahead at most. */
  readonly window?: number;
}

export interface ForwarderState {
  /** Deliveries that are being sent, or whose end is being written. */
  readonly inFlight: number;
  /** Deliveries that were read and are not in flight, whatever they wait for: their turn, a backoff, one before them. */
  readonly waiting: number;
  readonly targets: readonly LineState[];
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
/** Of the deliveries in the window; the others are read again when it is their turn. */
const mostCachedBytes = 64 * 1024 * 1024;
/** Between two turns of the event loop, so that a long backlog does not keep the sender waiting. */
const readsPerTurn = 50;

interface Entry {
  readonly sequence: number;
  readonly receivedAt: number;
  /** Those that have not taken it, with the number of attempts that each has had. */
  readonly open: Map<Target, number>;
}

export function startForwarder(options: ForwarderOptions): Forwarder {
  const { journal, clock, onActivity, window = defaultWindow } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lanes = createLaneQueue<Entry>();
  const lines = new Map<string, TargetLine>();
  const cache = createDeliveryCache(journal, mostCachedBytes);
  /** The last one that was read: after a fault of the journal, reading starts again at the oldest. */
  let lastRead = 0;
  let isJournalFaulty = false;
  /** Deliveries that are finished, and still hold up the next of their subjects. */
  const leaving = new Set<number>();
  let waiters: (() => void)[] = [];

  const changed = () => {
    const resolved = waiters;
    waiters = [];
    for (const resolve of resolved) resolve();
  };
  const nextChange = () => new Promise<void>((resolve) => waiters.push(resolve));

  const lineOf = (target: Target): TargetLine => {
    const known = lines.get(target.name);
    if (known) return known;
    const line = createTargetLine(target, {
      ...options,
      onOutage: (name, fault) => onActivity({ kind: 'target', target: name, fault }),
      onIdle: changed,
    });
    lines.set(target.name, line);
    return line;
  };

  /** The delivery is the first unfinished one of all its subjects. */
  const release = (entry: Entry) => {
    if (signal.aborted) return;
    const { sequence, receivedAt } = entry;
    for (const [target, attempts] of entry.open)
      lineOf(target).add({
        sequence,
        receivedAt,
        attempts,
        load: () => cache.load(sequence),
        onAttempt: (made) => record(entry, target, made),
      });
  };

  const record = async (entry: Entry, target: Target, { delay, detail, delivery, ...made }: MadeAttempt) => {
    if (made.verdict !== 'retry') entry.open.delete(target);
    const { sequence } = entry;
    const finishes = entry.open.size === 0;
    const attempt: Attempt = {
      kind: 'attempt',
      sequence,
      time: clock.now(),
      target: target.name,
      ...made,
      finishes,
    };
    journal.mark(attempt);
    const report = (known: StoredDelivery) =>
      onActivity({
        ...attempt,
        delivery: known,
        ...(detail === undefined ? {} : { detail }),
        ...(delay === undefined ? {} : { delay }),
      });
    if (delivery) report(delivery);
    // One that cannot be read cannot be shown either; the journal has what became of it.
    else void cache.load(sequence).then(report, () => {});
    if (!finishes) return made.verdict === 'retry' ? undefined : journal.written();
    cache.forget(sequence);
    await leaveLanes(entry);
  };

  /** The next of its subject must not be sent before a kill could no longer bring this one back, and behind it. */
  const leaveLanes = async (entry: Entry) => {
    leaving.add(entry.sequence);
    await journal.written();
    leaving.delete(entry.sequence);
    for (const next of lanes.finish(entry)) release(next);
    changed();
  };

  const accept = (delivery: UnfinishedDelivery) => {
    const events = readEvents(delivery.body);
    const targets = options.chooseTargets(events);
    const open = openTargets(targets, delivery);
    if (open.size === 0) return finishUnsent(delivery);
    const { sequence, receivedAt } = delivery;
    const entry = { sequence, receivedAt, open };
    cache.keep(delivery);
    if (lanes.add(entry, lanesOf(events))) release(entry);
  };

  /** It has no target, or none any more that has not taken it: the targets are not those of an earlier run. */
  const finishUnsent = (delivery: UnfinishedDelivery) => {
    const last = delivery.earlier.at(-1);
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
    journal.mark(attempt);
    onActivity({ ...attempt, delivery });
  };

  const readAll = async () => {
    let reads = 0;
    for await (const delivery of journal.unfinished(signal)) {
      if (signal.aborted) return;
      if (isJournalFaulty) onActivity({ kind: 'storage', fault: undefined });
      isJournalFaulty = false;
      if (delivery.sequence > lastRead) accept(delivery);
      lastRead = Math.max(lastRead, delivery.sequence);
      changed();
      while (lanes.size >= window && !signal.aborted) await nextChange();
      reads += 1;
      if (reads % readsPerTurn === 0) await clock.nextTurn();
    }
  };

  /** Never rejects: without the journal nothing can be forwarded, but the journal may come back. */
  const read = async () => {
    for (let faults = 1; !signal.aborted; faults++) {
      const before = lastRead;
      try {
        return await readAll();
      } catch (error) {
        if (lastRead > before) faults = 1;
        const reason = error instanceof Error ? error.message : String(error);
        isJournalFaulty = true;
        onActivity({ kind: 'storage', fault: `Cannot read what is stored: ${reason}` });
        await clock.sleep(probeDelayMs(faults, options.random), signal);
      }
    }
  };
  const reading = read();

  const stop = async () => {
    stopping.abort();
    for (const line of lines.values()) line.stop();
    changed();
    await reading;
    while ([...lines.values()].some((line) => line.state().inFlight > 0)) await nextChange();
  };

  /** Whether something is in flight, or will be before this time. */
  const isBusyBefore = (time: number) => {
    const { unfinished } = journal.state();
    if (unfinished > 0 && leaving.size > 0) return true;
    if (unfinished > lanes.size && lanes.size < window) return true;
    return [...lines.values()].some((line) => {
      const { inFlight, waiting, fault } = line.state();
      return (
        inFlight > 0 ||
        (waiting > 0 && fault === undefined) ||
        (line.nextAttemptAt() ?? Number.POSITIVE_INFINITY) <= time
      );
    });
  };

  return {
    state() {
      const all = [...lines.values()];
      const sending = new Set([...leaving, ...all.flatMap((line) => [...line.sending()])]);
      return {
        inFlight: sending.size,
        waiting: lanes.size - sending.size,
        targets: all.map((line) => line.state()),
      };
    },
    stop,
    async drain(limitMs) {
      const end = clock.monotonic() + limitMs;
      let isOver = false;
      const limit = clock.limit(limitMs, () => {
        isOver = true;
        changed();
      });
      while (!isOver && !signal.aborted && isBusyBefore(end)) await nextChange();
      limit.cancel();
      await stop();
      return journal.state().unfinished;
    },
  };
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
