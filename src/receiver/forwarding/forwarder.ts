// Forwards what the journal holds: reads the unfinished deliveries into the windows of their targets, and marks what became of each. A
// delivery is finished when it was forwarded to, or given up for, each of its targets.
//
// One reader reads for all targets. A target whose window is full is left behind: from then on it has a reader of its own, which goes
// on where the target has room again, until it has caught up with the others.

import { omitUndefined } from '../../omit-undefined.ts';
import type { Clock, Random } from '../../world/world.ts';
import type { OnActivity } from '../activity.ts';
import type { Attempt, Journal, SequenceRange, UnfinishedDelivery } from '../delivery-journal.ts';
import { type DeliveredEvents, eventsOf } from '../read-events.ts';
import type { StoredDelivery } from '../stored-delivery.ts';
import { probeDelayMs } from './retry-delay.ts';
import { lanesOf } from './subject-lanes.ts';
import type { Target } from './target.ts';
import { createTargetLine, type LineState, type MadeAttempt } from './target-line.ts';
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
  const { journal, clock, onActivity, window: size = defaultWindow } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const mostBytes = mostCachedBytes / Math.max(1, options.targets.length);
  /** Those that are in a window. */
  const entries = new Map<number, Entry>();
  /** The last one that was read for all targets but those that are behind. */
  let lastRead = 0;
  let isJournalFaulty = false;
  let waiters: (() => void)[] = [];

  const changed = () => {
    const resolved = waiters;
    waiters = [];
    for (const resolve of resolved) resolve();
  };
  const nextChange = () => new Promise<void>((resolve) => waiters.push(resolve));

  const windows = new Map(
    options.targets.map((target): [Target, TargetWindow] => {
      const line = createTargetLine(target, {
        ...options,
        onOutage: (name, fault) => onActivity({ kind: 'target', target: name, fault }),
        onIdle: changed,
      });
      return [target, createTargetWindow(target, line, { journal, size, mostBytes })];
    }),
  );
  const all = [...windows.values()];
  const windowOf = (target: Target) => {
    const own = windows.get(target);
    if (own) return own;
    throw new Error(`${target.name} is not one of the targets`);
  };
  /** It gets the next delivery that is read for all. */
  const isWithOthers = ({ behindFrom, hasRoom }: TargetWindow) => behindFrom === undefined && hasRoom;

  /** The delivery is the first unsettled one of all its subjects at this target. */
  const release = (own: TargetWindow, entry: Entry) => {
    if (signal.aborted) return;
    const { sequence, receivedAt, open } = entry;
    own.line.add({
      sequence,
      receivedAt,
      attempts: open.get(own.target) ?? 0,
      load: () => own.cache.load(sequence),
      onAttempt: (made) => record(own, entry, made),
    });
  };

  const record = async (
    own: TargetWindow,
    entry: Entry,
    { delay, detail, delivery, ...made }: MadeAttempt,
  ) => {
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
      onActivity({
        ...attempt,
        delivery: known,
        ...omitUndefined({ detail, delay }),
      });
    if (delivery) report(delivery);
    // One that cannot be read cannot be shown either; the journal has what became of it.
    else void own.cache.load(sequence).then(report, () => {});
    if (made.verdict !== 'retry') await leave(own, entry);
  };

  /** The next of its subject must not be sent before a kill could no longer bring this one back, and behind it. */
  const leave = async (own: TargetWindow, entry: Entry) => {
    const { sequence } = entry;
    own.cache.forget(sequence);
    own.leaving.add(sequence);
    await journal.written();
    own.leaving.delete(sequence);
    entry.windows -= 1;
    if (entry.windows === 0) entries.delete(sequence);
    for (const next of own.lanes.finish(entry)) release(own, next);
    changed();
  };

  const take = (own: TargetWindow, entry: Entry, delivery: UnfinishedDelivery, lanes: readonly string[]) => {
    own.isUsed = true;
    entry.windows += 1;
    entries.set(entry.sequence, entry);
    own.cache.keep(delivery);
    if (own.lanes.add(entry, lanes)) release(own, entry);
  };

  /** `only`: it catches up, and the others have it already, or do not need it. */
  const accept = (delivery: UnfinishedDelivery, only?: TargetWindow) => {
    const { sequence, receivedAt } = delivery;
    const events = eventsOf(delivery);
    // It may be in the window of another target by now.
    const entry = entries.get(sequence) ?? {
      sequence,
      receivedAt,
      open: openTargets(options.chooseTargets(events), delivery),
      windows: 0,
    };
    const lanes = lanesOf(events);
    if (only) {
      if (entry.open.has(only.target)) take(only, entry, delivery, lanes);
      return;
    }
    if (entry.open.size === 0) return finishUnsent(delivery);
    for (const target of entry.open.keys()) {
      const own = windowOf(target);
      if (isWithOthers(own)) take(own, entry, delivery, lanes);
      else if (own.behindFrom === undefined) {
        own.behindFrom = sequence;
        own.catchingUp = catchUp(own);
      }
    }
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

  /** Resolves at the end of the range. Never rejects: without the journal nothing can be forwarded, but the journal may come back. */
  const read = async (
    range: () => SequenceRange,
    onDelivery: (delivery: UnfinishedDelivery) => void,
    hasRoom: () => boolean,
  ) => {
    for (let faults = 1; !signal.aborted; faults += 1) {
      const { from } = range();
      try {
        let reads = 0;
        for await (const delivery of journal.unfinished(signal, range())) {
          if (signal.aborted) return;
          if (isJournalFaulty) onActivity({ kind: 'storage', fault: undefined });
          isJournalFaulty = false;
          onDelivery(delivery);
          changed();
          while (!hasRoom() && !signal.aborted) await nextChange();
          reads += 1;
          if (reads % readsPerTurn === 0) await clock.nextTurn();
        }
        return;
      } catch (error) {
        if (range().from > from) faults = 1;
        const reason = error instanceof Error ? error.message : String(error);
        isJournalFaulty = true;
        onActivity({ kind: 'storage', fault: `Cannot read what is stored: ${reason}` });
        await clock.sleep(probeDelayMs(faults, options.random), signal);
      }
    }
  };

  const canReadOn = () => all.length === 0 || all.some(isWithOthers);
  const reading = read(
    () => ({ from: lastRead + 1, to: Number.POSITIVE_INFINITY }),
    (delivery) => {
      accept(delivery);
      lastRead = delivery.sequence;
    },
    canReadOn,
  );

  const catchUp = async (own: TargetWindow) => {
    while (own.behindFrom !== undefined && !signal.aborted) {
      while (!own.hasRoom && !signal.aborted) await nextChange();
      const to = lastRead;
      await read(
        () => ({ from: own.behindFrom ?? to + 1, to }),
        (delivery) => {
          accept(delivery, own);
          own.behindFrom = delivery.sequence + 1;
        },
        () => own.hasRoom,
      );
      own.behindFrom = lastRead === to ? undefined : to + 1;
    }
    changed();
  };

  const stop = async () => {
    stopping.abort();
    for (const { line } of all) line.stop();
    changed();
    await reading;
    await Promise.all(all.map(({ catchingUp }) => catchingUp));
    while (all.some(({ line }) => line.state().inFlight > 0)) await nextChange();
  };

  /** Whether something is in flight, or will be before this time. */
  const isBusyBefore = (time: number) => {
    const { unfinished, lastUnfinished } = journal.state();
    if (unfinished > 0 && all.some(({ leaving }) => leaving.size > 0)) return true;
    if (lastUnfinished > lastRead && canReadOn()) return true;
    return all.some(({ line, behindFrom, hasRoom }) => {
      const { inFlight, waiting, fault } = line.state();
      return (
        inFlight > 0 ||
        (behindFrom !== undefined && hasRoom) ||
        (waiting > 0 && fault === undefined) ||
        (line.nextAttemptAt() ?? Number.POSITIVE_INFINITY) <= time
      );
    });
  };

  return {
    state() {
      const sending = new Set(all.flatMap(({ leaving, line }) => [...leaving, ...line.sending()]));
      return {
        inFlight: sending.size,
        waiting: entries.size - sending.size,
        targets: all
          .filter(({ isUsed }) => isUsed)
          .map(({ line, lanes, leaving, behindFrom }) => {
            const state = line.state();
            // Also what waits behind an earlier delivery of its subject, which the line does not have yet.
            const waiting = lanes.size - leaving.size - state.inFlight - state.retrying;
            const oldest = lanes.oldest()?.receivedAt;
            return { ...state, waiting, oldest, isBehind: behindFrom !== undefined };
          }),
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
