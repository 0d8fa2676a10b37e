// Moves the finished deliveries of a journal into a sink. They are not forwarded from there, but log shows them, replay can send them, and
// the service's repetitions of them are recognised.

import type { Attempt } from '../../../receiver/delivery-journal.ts';
import { runInLanes } from '../../../receiver/sink/in-lanes.ts';
import type { Imported, SinkJournal } from '../../../receiver/sink/sink-journal.ts';
import { consumerFor, sinkStreams, sinkSubjects } from '../../../receiver/sink/sink-layout.ts';
import { isFault, untilQuorum } from '../../../receiver/sink/until-quorum.ts';
import type { StoredDelivery } from '../../../receiver/stored-delivery.ts';
import type { Clock, NatsConnection } from '../../../world/world.ts';
import { collectDeliveries } from '../deliveries/collect-deliveries.ts';
import { toFilter } from '../deliveries/delivery-filter.ts';
import type { EntrySource } from '../deliveries/entry-source.ts';
import {
  deadTargets,
  importedOutcome,
  isUnfinished,
  type KnownDelivery,
} from '../deliveries/known-delivery.ts';
import type { Replays } from '../deliveries/replays-file.ts';

export interface HistoryOptions {
  readonly nats: NatsConnection;
  readonly clock: Clock;
  readonly stream: string;
  readonly into: SinkJournal;
  readonly source: EntrySource;
  readonly replays: Replays;
  readonly signal: AbortSignal;
  /** Called once the sink has it. */
  onImported(known: KnownDelivery, imported: Imported): Promise<void>;
}

interface Item {
  readonly known: KnownDelivery;
  readonly delivery: StoredDelivery;
}

const atOnce = 64;
/** How many deliveries are held in memory at a time. */
const perPart = 50_000;
const recordMs = 15_000;
const publishMs = 3_000;

/** Rejects if the sink does not accept one, or the journal cannot be read. */
export async function importHistory(options: HistoryOptions): Promise<void> {
  const { source, signal } = options;
  const { first, last } = await source.bounds();
  for (let from = first; from <= last && !signal.aborted; from += perPart)
    await runInLanes({
      items: readItems(options, { from, to: Math.min(last, from + perPart - 1) }),
      lanesOf: ({ known: { ids } }) => (ids.length === 0 ? [''] : ids),
      run: (item) => importOne(options, item),
      atOnce,
      signal,
    });
}

/** The deliveries of the range that are finished and not in the sink yet. */
async function* readItems(
  { source, replays }: HistoryOptions,
  range: { readonly from: number; readonly to: number },
): AsyncGenerator<Item> {
  const filter = toFilter({}, [range], 0);
  const all = { filter, states: [], last: Number.POSITIVE_INFINITY };
  const { deliveries } = await collectDeliveries(source, replays, all, { remember: () => {} });
  const wanted = new Map(
    deliveries.flatMap((known) =>
      isUnfinished(known) || isImported(known) ? [] : [[known.sequence, known]],
    ),
  );
  const selection = {
    wantsDelivery: (sequence: number) => wanted.has(sequence),
    wantsAttempt: () => false,
  };
  if (wanted.size === 0) return;
  for await (const entry of source.read({ from: { sequence: range.from }, selection })) {
    const known = entry.kind === 'delivery' ? wanted.get(entry.delivery.sequence) : undefined;
    if (entry.kind !== 'delivery' || known === undefined) continue;
    yield { known, delivery: entry.delivery };
    wanted.delete(known.sequence);
    if (wanted.size === 0) return;
  }
}

const isImported = ({ attempts }: KnownDelivery) =>
  attempts.some(({ outcome }) => outcome === importedOutcome);

async function importOne(options: HistoryOptions, { known, delivery }: Item): Promise<void> {
  const names = sinkStreams(options.stream);
  const imported = await options.into.import(delivery, known.attempts);
  const dead = deadTargets(known);
  const isOurs =
    dead.length + known.replays.length > 0 &&
    (!imported.isDuplicate || (await isInHistory(options, imported.sequence)));
  if (isOurs) {
    for (const target of dead) await publishDead(options, target, imported);
    for (const [at, replay] of known.replays.entries()) {
      const text = JSON.stringify({ ...replay, sequence: imported.sequence });
      await publish(options, {
        stream: names.log,
        subject: sinkSubjects.replays(options.stream),
        payload: new TextEncoder().encode(text),
        id: `import-${imported.id}-${at}`,
      });
    }
  }
  await options.onImported(known, imported);
}

/** If not, a receiver of the sink stored it: the service repeated it. */
async function isInHistory({ nats, clock, stream }: HistoryOptions, sequence: number): Promise<boolean> {
  const found = await untilQuorum(clock, recordMs, () =>
    nats.read(sinkStreams(stream).deliveries, { sequence }),
  );
  if (isFault(found)) throw new Error(found.detail);
  return found.subject === sinkSubjects.history(stream);
}

/** As a forwarder does when it gives up. The id has no time: the remark on the delivery already shows that it is a dead letter. */
async function publishDead(
  options: HistoryOptions,
  target: string,
  { partition, payload, sequence }: Imported,
): Promise<void> {
  const consumer = consumerFor(target, partition);
  await publish(options, {
    stream: sinkStreams(options.stream).dead,
    subject: sinkSubjects.dead(options.stream, consumer),
    payload,
    id: `${consumer}-${sequence}`,
  });
}

interface Message {
  readonly stream: string;
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly id: string;
}

async function publish(
  { nats, clock }: HistoryOptions,
  { stream, subject, payload, id }: Message,
): Promise<void> {
  const published = await untilQuorum(clock, recordMs, () =>
    nats.publish(subject, payload, { stream, id, timeoutMs: publishMs }),
  );
  if (isFault(published)) throw new Error(published.detail);
}

/** The note in the journal that the sink has the delivery. */
export function importedAttempt(
  sequence: number,
  { time, milliseconds, target }: Pick<Attempt, 'time' | 'milliseconds' | 'target'>,
): Attempt {
  return {
    kind: 'attempt',
    sequence,
    time,
    target,
    attempt: 1,
    milliseconds,
    outcome: importedOutcome,
    verdict: 'forwarded',
    finishes: true,
  };
}
