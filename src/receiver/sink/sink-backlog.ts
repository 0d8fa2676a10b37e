// The deliveries of a sink that are not settled yet, according to its consumers: how many, and whether a given one is among them.

import type { NatsConnection, NatsConsumer, NatsFault, NatsStream } from '../../world/world.ts';
import { findFirstWaiting, findOldestWaiting } from './oldest-waiting.ts';
import {
  consumerFor,
  partitionOfConsumer,
  type partitionOfSubject,
  sinkStreams,
  sinkSubjects,
  targetOfConsumer,
} from './sink-layout.ts';
import { isFault } from './until-quorum.ts';

export interface SinkBacklog {
  readonly stream: NatsStream;
  /** The consumers of targets. */
  readonly consumers: readonly NatsConsumer[];
  readonly unfinished: number;
  /** When the oldest of them was stored, in milliseconds since 1970; `undefined` if there is none. */
  readonly oldestUnfinished: number | undefined;
  /** How many deliveries the target with this name has not settled. */
  unsettledOf(target: string): number;
  /** How many targets have consumers. */
  readonly targets: number;
  /** Every delivery up to this number is settled. */
  readonly settledTo: number;
  /** Whether at least one target has not settled the delivery with this number, in this partition. */
  isUnfinished(partition: ReturnType<typeof partitionOfSubject>, sequence: number): boolean;
}

export async function readBacklog(
  nats: Pick<NatsConnection, 'stream' | 'consumers' | 'read' | 'count'>,
  name: string,
): Promise<SinkBacklog | NatsFault> {
  const { deliveries } = sinkStreams(name);
  const [consumers, stream] = await Promise.all([nats.consumers(deliveries), nats.stream(deliveries)]);
  if ('fault' in consumers) return consumers;
  if ('fault' in stream) return stream;
  const byTarget = new Map<string, number>();
  const floors = new Map<number, number>();
  for (const { name: consumer, unacknowledged, ackFloor } of consumers) {
    const partition = partitionOfConsumer(consumer);
    // A program that reads the stream also has a consumer, for a while.
    if (partition === undefined) continue;
    const target = targetOfConsumer(consumer);
    byTarget.set(target, (byTarget.get(target) ?? 0) + unacknowledged);
    if (unacknowledged > 0)
      floors.set(partition, Math.min(floors.get(partition) ?? Number.POSITIVE_INFINITY, ackFloor));
  }
  const hasTargets = byTarget.size > 0;
  const history = hasTargets ? 0 : await nats.count(deliveries, sinkSubjects.history(name));
  if (typeof history !== 'number') return history;
  const unfinished = hasTargets ? Math.max(...byTarget.values()) : stream.messages - history;
  const settledTo = hasTargets ? Math.min(stream.lastSequence, ...floors.values()) : 0;
  const oldest =
    unfinished === 0
      ? undefined
      : await (hasTargets ? findOldestWaiting(nats, deliveries, floors) : findFirstWaiting(nats, stream));
  if (isFault(oldest)) return oldest;
  return {
    stream,
    consumers: consumers.filter(({ name: consumer }) => partitionOfConsumer(consumer) !== undefined),
    unfinished,
    oldestUnfinished: oldest?.time,
    unsettledOf: (target) => byTarget.get(targetOfConsumer(consumerFor(target, 0))) ?? 0,
    targets: byTarget.size,
    settledTo,
    isUnfinished: (partition, sequence) =>
      partition !== 'history' &&
      (!hasTargets || sequence > (floors.get(partition) ?? Number.POSITIVE_INFINITY)),
  };
}
