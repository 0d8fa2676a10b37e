// Sends stored deliveries again, in order for each task or folder and several at a time. Each outcome is on the disk before it is
// reported; if the disk fails, the replay stops.

import { createLaneQueue } from '#receiver/core/forwarding/lane-queue.ts';
import { lanesOf } from '#receiver/core/forwarding/subject-lanes.ts';
import { excerptOf, type Target } from '#receiver/core/forwarding/target.ts';
import type { StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { type DeliveredEvents, readEvents } from '#receiver/core/intake/read-events.ts';
import type { Clock } from '#world/world.ts';
import { type EntrySource, readStored } from '../deliveries/delivery-archive.ts';
import type { LoggedDelivery } from '../deliveries/logged-delivery.ts';
import type { Replay, ReplayRecorder } from '../deliveries/replays-file.ts';

interface SendOptions {
  readonly chooseTargets: (events: DeliveredEvents) => readonly Target[];
  readonly recorder: Pick<ReplayRecorder, 'add'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Ends the replay early, and abandons deliveries that are being sent. */
  readonly signal: AbortSignal;
  readonly onReplayed: (replayed: Replayed) => Promise<void>;
}

interface ReplayOptions extends SendOptions {
  readonly source: Pick<EntrySource, 'read'>;
  /** Deliveries in the order of their numbers. */
  readonly deliveries: readonly LoggedDelivery[];
  readonly concurrency: number;
}

export interface Replayed {
  readonly delivery: LoggedDelivery;
  readonly replay: Replay;
  readonly detail: string | undefined;
}

export type ReplaySummary = Awaited<ReturnType<typeof replayDeliveries>>;

/**
 * - `forwarded`: accepted by every target
 * - `withoutTarget`: none of the targets takes its events
 * - `unknown`: interrupted while being sent, so the target may have it
 */
type Outcome = 'forwarded' | 'failed' | 'withoutTarget' | 'notSent' | 'unknown';

interface Item {
  readonly delivery: LoggedDelivery;
  readonly stored: StoredDelivery;
  readonly events: DeliveredEvents;
}

/** How many to read ahead for each worker, so that a task with many deliveries does not block the others. */
const readAhead = 4;

/** Resolves to the numbers of the deliveries by outcome. Rejects if the journal cannot be read or a result cannot be printed. */
export async function replayDeliveries(options: ReplayOptions) {
  const { source, deliveries, concurrency, signal } = options;
  const outcomes = new Map<number, Outcome>();
  const lanes = createLaneQueue<Item>();
  const ready: Item[] = [];
  const active = new Set<Promise<void>>();
  let unavailable: Sent['unavailable'];
  let failure: { readonly error: unknown } | undefined;
  const unrecorded: NonNullable<Sent['unrecorded']>[] = [];
  const isEnded = () =>
    signal.aborted || unavailable !== undefined || failure !== undefined || unrecorded.length > 0;

  const run = async (item: Item) => {
    try {
      const sent = await sendToEach(options, item);
      outcomes.set(item.delivery.sequence, sent.outcome);
      unavailable ??= sent.unavailable;
      if (sent.unrecorded) unrecorded.push(sent.unrecorded);
    } catch (error) {
      failure ??= { error };
    }
    ready.push(...lanes.finish(item));
  };
  const startReady = () => {
    while (!isEnded() && active.size < concurrency) {
      const item = ready.shift();
      if (item === undefined) return;
      const running = run(item).then(() => {
        active.delete(running);
        startReady();
      });
      active.add(running);
    }
  };

  for await (const read of readStored(source, deliveries)) {
    const item = { ...read, events: readEvents(read.stored.body) };
    while (!isEnded() && lanes.size >= readAhead * concurrency) await Promise.race(active);
    if (isEnded()) break;
    if (lanes.add(item, lanesOf(item.events))) ready.push(item);
    startReady();
  }
  while (active.size > 0) await Promise.race(active);
  if (failure !== undefined) throw failure.error;
  const numbersOf = (outcome: Outcome | undefined) =>
    deliveries.flatMap(({ sequence }) => (outcomes.get(sequence) === outcome ? [sequence] : []));
  const unread = numbersOf(undefined);
  return {
    forwarded: numbersOf('forwarded'),
    failed: numbersOf('failed'),
    withoutTarget: numbersOf('withoutTarget'),
    dropped: isEnded() ? [] : unread,
    notSent: isEnded() ? [...unread, ...numbersOf('notSent')].toSorted((a, b) => a - b) : [],
    unknown: numbersOf('unknown'),
    /** The target that could not be reached, which ended the replay. */
    unavailable,
    /** Sent, but the outcome could not be recorded, which ended the replay. Each is in a list above too. */
    unrecorded: unrecorded.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    recordFault: unrecorded[0]?.error,
  };
}

interface Sent {
  readonly outcome: Outcome;
  readonly unavailable?: {
    readonly target: string;
    readonly outcome: string;
    readonly detail: string | undefined;
  };
  readonly unrecorded?: { readonly sequence: number; readonly error: unknown };
}

export async function sendToEach(options: SendOptions, { delivery, stored, events }: Item): Promise<Sent> {
  const { chooseTargets, recorder, clock, signal, onReplayed } = options;
  const targets = chooseTargets(events);
  if (targets.length === 0) return { outcome: 'withoutTarget' };
  let outcome: Outcome = 'notSent';
  for (const target of targets) {
    const attempt = 1 + countEarlier(delivery, target.name);
    const { verdict, detail, ...result } = await target.send(stored, attempt, signal);
    if (verdict === 'unavailable') {
      if (signal.aborted) return { outcome };
      // It counts as forwarded only if every target accepted it.
      return {
        outcome: outcome === 'notSent' ? 'notSent' : 'failed',
        unavailable: { target: target.name, outcome: result.outcome, detail },
      };
    }
    const replay: Replay = {
      sequence: stored.sequence,
      time: clock.now(),
      target: target.name,
      outcome: result.outcome,
      milliseconds: result.milliseconds,
      verdict: verdict === 'forwarded' ? 'forwarded' : 'failed',
      ...(verdict === 'forwarded' || detail === undefined ? {} : { detail: excerptOf(detail) }),
    };
    const unrecorded = await recorder.add(replay).then(
      () => undefined,
      (error: unknown) => ({ sequence: stored.sequence, error }),
    );
    await onReplayed({ delivery, replay, detail });
    if (verdict !== 'forwarded') outcome = signal.aborted ? 'unknown' : 'failed';
    else if (outcome === 'notSent') outcome = 'forwarded';
    // It counts as forwarded only if every target accepted it.
    if (unrecorded) return { outcome: target === targets.at(-1) ? outcome : 'failed', unrecorded };
  }
  return { outcome };
}

/** Counts earlier attempts from the number of the last one. */
function countEarlier({ attempts, replays }: LoggedDelivery, name: string): number {
  const last = Math.max(0, ...attempts.flatMap(({ target, attempt }) => (target === name ? [attempt] : [])));
  return last + replays.filter(({ target }) => target === name).length;
}
