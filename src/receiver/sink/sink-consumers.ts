// The consumers of a sink: created for each target, removed when a target is given up, and asked for what is not settled yet.

import type { Clock, NatsConnection, NatsConsumer, NatsFault, NatsStream } from '#world/world.ts';
import {
  ackWaitMs,
  consumerFor,
  partitionsOf,
  readConsumerName,
  sinkStreams,
  sinkSubjects,
} from './sink-layout.ts';
import { notesOf } from './sink-message.ts';
import { isFault, untilQuorum } from './until-quorum.ts';

export interface SinkTarget {
  readonly hash: string;
  readonly name: string;
  readonly consumers: readonly (NatsConsumer & { readonly partition: number })[];
  /** How many deliveries it has not settled. */
  readonly waiting: number;
}

export interface SinkBacklog {
  readonly stream: NatsStream;
  /** Those with consumers. Some consumers may have no leader at present; they are left out. */
  readonly targets: readonly SinkTarget[];
  readonly isComplete: boolean;
  readonly unfinished: number;
}

type Nats = Pick<NatsConnection, 'stream' | 'consumers' | 'read'>;

const limitMs = 30_000;

export async function readBacklog(nats: Nats, name: string): Promise<SinkBacklog | NatsFault> {
  const [stream, all] = await Promise.all([nats.stream(name), nats.consumers(name)]);
  if (isFault(stream)) return stream;
  if (isFault(all)) return all;
  const byHash = new Map<string, SinkTarget['consumers'][number][]>();
  for (const one of all) {
    const known = isFault(one) ? undefined : readConsumerName(one.name);
    if (isFault(one) || known === undefined) continue;
    byHash.set(known.hash, [...(byHash.get(known.hash) ?? []), { ...one, partition: known.partition }]);
  }
  const targets = [...byHash].map(([hash, consumers]) => ({
    hash,
    name: consumers[0]?.description ?? '',
    consumers,
    waiting: consumers.reduce((sum, { unacknowledged }) => sum + unacknowledged, 0),
  }));
  const unfinished =
    targets.length === 0 ? stream.messages : Math.max(...targets.map(({ waiting }) => waiting));
  return { stream, targets, isComplete: !all.some(isFault), unfinished };
}

/** When the oldest delivery that one of these targets has not settled was stored; `undefined` if there is none, or it is gone meanwhile. */
export async function findOldest(
  nats: Nats,
  { stream, targets, unfinished }: Pick<SinkBacklog, 'stream' | 'targets' | 'unfinished'>,
): Promise<number | undefined> {
  if (unfinished === 0) return undefined;
  const floors = new Map<number | '*', number>(targets.length === 0 ? [['*', 0]] : []);
  for (const { partition, ackFloor, unacknowledged } of targets.flatMap(({ consumers }) => consumers))
    if (unacknowledged > 0) floors.set(partition, Math.min(floors.get(partition) ?? ackFloor, ackFloor));
  const found = await Promise.all(
    [...floors].map(([partition, floor]) =>
      nats.read(stream.name, { firstOf: sinkSubjects.delivery(stream.name, partition), from: floor + 1 }),
    ),
  );
  const times = found.flatMap((one) => (isFault(one) ? [] : [one.time]));
  return times.length === 0 ? undefined : Math.min(...times);
}

export interface ConsumerOptions {
  readonly nats: Nats & Pick<NatsConnection, 'setConsumer' | 'read'>;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly stream: string;
  readonly partitions: number;
  /** Their names. */
  readonly targets: readonly string[];
}

/**
 * Makes sure that each target has its consumers. A new target gets what the others have not settled, as from the local journal; the first
 * one gets everything, and one that was given up continues where it was.
 */
export async function ensureConsumers(options: ConsumerOptions): Promise<NatsFault | undefined> {
  const { nats, clock, stream, partitions, targets } = options;
  const ask = <T>(run: () => Promise<T | NatsFault>) => untilQuorum(clock, limitMs, run);
  const all = await ask(async () => {
    const found = await nats.consumers(stream);
    if (isFault(found)) return found;
    return found.find(isFault) ?? found.flatMap((one) => (isFault(one) ? [] : [one]));
  });
  if (isFault(all)) return all;
  const found = await ask(() => nats.stream(stream));
  if (isFault(found)) return found;
  const now = partitionsOf(found);
  // The stream was created again under a forwarder.
  if (now !== partitions)
    return {
      fault: 'conflict',
      detail: `the stream ${stream} has ${now ?? 'no'} partitions now, not ${partitions}: restart wm`,
    };
  const known = new Map(all.map((one) => [one.name, one]));
  const first = new Map<number, number>();
  for (const { name, ackFloor } of all) {
    const { partition } = readConsumerName(name) ?? {};
    if (partition !== undefined)
      first.set(partition, Math.min(first.get(partition) ?? ackFloor + 1, ackFloor + 1));
  }
  const ensure = async (target: string, partition: number): Promise<true | NatsFault> => {
    const name = consumerFor(target, partition);
    const found = known.get(name);
    if (found && !found.isChanged) return true;
    const next = found ? { from: undefined } : await ask(() => nextOf(nats, stream, name));
    if (isFault(next)) return next;
    const from = found ? undefined : (next.from ?? first.get(partition) ?? 1);
    const subject = sinkSubjects.delivery(stream, partition);
    return ask(() => nats.setConsumer(stream, { name, description: target, subject, ackWaitMs, from }));
  };
  for (const target of targets) {
    const all = Array.from({ length: partitions }, (_, partition) => ensure(target, partition));
    // Another forwarder may have created it meanwhile, with another start.
    const fault = (await Promise.all(all)).find((one) => isFault(one) && one.fault !== 'exists');
    if (isFault(fault)) return fault;
  }
  return undefined;
}

/** Where a target without consumers goes on: it was given up, or somebody has deleted them. `undefined` if it has had nothing yet. */
async function nextOf(
  nats: Pick<NatsConnection, 'read'>,
  stream: string,
  consumer: string,
): Promise<{ readonly from: number | undefined } | NatsFault> {
  const last = await nats.read(sinkStreams(stream).log, { lastOf: sinkSubjects.attempts(stream, consumer) });
  if (isFault(last)) return last.fault === 'not-found' ? { from: undefined } : last;
  const [note] = notesOf(last);
  if (note?.kind !== 'attempt') return { from: undefined };
  const delivery = await nats.read(stream, { sequence: note.sequence });
  if (isFault(delivery) && delivery.fault !== 'not-found') return delivery;
  // Otherwise it was dropped for its age, or was in a stream that was deleted.
  const isThere = !isFault(delivery) && delivery.time === note.stored;
  return { from: isThere ? note.sequence + (note.verdict === 'retry' ? 0 : 1) : 1 };
}

/** Gives up a target. */
export async function removeConsumers(
  nats: Pick<NatsConnection, 'removeConsumer'>,
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  stream: string,
  { consumers }: SinkTarget,
): Promise<NatsFault | undefined> {
  const removed = await Promise.all(
    consumers.map(({ name }) => untilQuorum(clock, limitMs, () => nats.removeConsumer(stream, name))),
  );
  return removed.find((one): one is NatsFault => isFault(one) && one.fault !== 'not-found');
}
