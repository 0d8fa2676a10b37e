// Creates the consumers of each target of a sink, removes them when a target is given up, and reads what they have not settled yet.

import type { NatsConsumer, NatsFault } from '#world/world.ts';
import { isFault, untilQuorum } from './sink-faults.ts';
import { ackWaitMs, consumerName, nanoseconds, partitionsOf, type Sink } from './sink-layout.ts';
import { lastAttempt } from './sink-message.ts';

export type SinkConsumer = NonNullable<ReturnType<typeof toConsumer>>;

export interface SinkTarget {
  readonly hash: string;
  readonly name: string;
  readonly consumers: readonly SinkConsumer[];
  /** How many deliveries are not settled. */
  readonly waiting: number;
}

const limitMs = 30_000;

function toConsumer({ name, config, ack_floor, num_pending, num_ack_pending }: NatsConsumer) {
  const [, hash, partition] = /^([\da-f]{12})-(\d+)$/.exec(name) ?? [];
  // The consumer of another program.
  if (hash === undefined) return undefined;
  // Before the first acknowledgement, only the settings show where the consumer starts.
  const ackFloor = Math.max(ack_floor.stream_seq, (config.opt_start_seq ?? 1) - 1);
  // Everything up to `ackFloor`, a sequence number of the stream, is settled.
  return {
    name,
    config,
    hash,
    partition: Number(partition),
    ackFloor,
    waiting: num_pending + num_ack_pending,
  };
}

export async function readBacklog({ nats, names }: Sink) {
  const [stream, infos] = await Promise.all([
    nats.stream(names.deliveries),
    nats.consumers(names.deliveries),
  ]);
  if (isFault(stream)) return stream;
  if (isFault(infos)) return infos;
  const consumers = infos.flatMap((info) => (isFault(info) ? [] : (toConsumer(info) ?? [])));
  const targets = [...new Set(consumers.map(({ hash }) => hash))].map((hash): SinkTarget => {
    const own = consumers.filter((consumer) => consumer.hash === hash);
    const waiting = own.reduce((sum, consumer) => sum + consumer.waiting, 0);
    return { hash, name: own[0]?.config.description ?? '', consumers: own, waiting };
  });
  return {
    stream,
    consumers,
    targets,
    /** The fault of a consumer without a leader; its figures are missing. */
    fault: infos.find(isFault),
    unfinished:
      targets.length === 0 ? stream.state.messages : Math.max(...targets.map(({ waiting }) => waiting)),
  };
}

export type SinkBacklog = Exclude<Awaited<ReturnType<typeof readBacklog>>, NatsFault>;

/** The lowest sequence number, by partition, up to which each of these consumers has settled everything. */
function floorsOf(consumers: readonly SinkConsumer[]): ReadonlyMap<number | '*', number> {
  const floors = new Map<number, number>();
  for (const { partition, ackFloor } of consumers)
    floors.set(partition, Math.min(floors.get(partition) ?? ackFloor, ackFloor));
  return floors;
}

/** When the oldest delivery that one of these consumers has not settled was stored; `undefined` if all are settled or it was just removed. */
export async function findOldest(
  { nats, names }: Sink,
  { targets, unfinished, ...backlog }: SinkBacklog,
  consumers = backlog.consumers,
): Promise<number | undefined> {
  if (unfinished === 0) return undefined;
  const floors =
    targets.length === 0 ? ([['*', 0]] as const) : floorsOf(consumers.filter(({ waiting }) => waiting > 0));
  const messages = await Promise.all(
    [...floors].map(([partition, floor]) =>
      nats.read(names.deliveries, { next_by_subj: names.delivery(partition), seq: floor + 1 }),
    ),
  );
  const times = messages.flatMap((message) => (isFault(message) ? [] : [message.time]));
  return times.length === 0 ? undefined : Math.min(...times);
}

/**
 * Creates the consumers that targets lack. A new target gets what the others have not settled, as with the local journal. The first
 * target of a sink gets everything, and a target that was given up continues where it stopped.
 */
export async function ensureConsumers(
  sink: Sink,
  targets: readonly { readonly name: string }[],
): Promise<NatsFault | undefined> {
  const { nats, names, partitions } = sink;
  const stream = names.deliveries;
  const backlog = await untilQuorum(sink, limitMs, async () => {
    const result = await readBacklog(sink);
    return isFault(result) ? result : (result.fault ?? result);
  });
  if (isFault(backlog)) return backlog;
  const currentPartitions = partitionsOf(backlog.stream);
  // The stream was created again while a forwarder used it.
  if (currentPartitions !== partitions)
    return {
      fault: 'conflict',
      detail: `the stream ${stream} has ${currentPartitions ?? 'no'} partitions now, not ${partitions}: restart wm`,
    };
  const existing = new Map(backlog.consumers.map(({ name, config }) => [name, config]));
  const floors = floorsOf(backlog.consumers);
  const ensure = async (target: string, partition: number): Promise<object | NatsFault> => {
    const name = consumerName(target, partition);
    const config = existing.get(name);
    if (config) {
      const { max_ack_pending, max_deliver = -1 } = config;
      return max_ack_pending === 1 && max_deliver <= 0
        ? {}
        : nats.setConsumer(stream, { ...config, ...fixedConfig });
    }
    const next = await resumeSequence(sink, name);
    if (isFault(next)) return next;
    const from = next ?? (floors.get(partition) ?? 0) + 1;
    return nats.setConsumer(stream, {
      ...fixedConfig,
      name,
      durable_name: name,
      description: target,
      filter_subject: names.delivery(partition),
      ...(from <= 1
        ? { deliver_policy: 'all' }
        : { deliver_policy: 'by_start_sequence', opt_start_seq: from }),
    });
  };
  for (const { name: target } of targets) {
    const ensured = Array.from({ length: partitions }, (_, partition) =>
      untilQuorum(sink, limitMs, () => ensure(target, partition)),
    );
    // Another forwarder may have just created it with another start.
    const fault = (await Promise.all(ensured)).find((result) => isFault(result) && result.fault !== 'exists');
    if (isFault(fault)) return fault;
  }
  return undefined;
}

/** Keeps the order: a consumer hands out a message only after the previous one is acknowledged. */
const fixedConfig = {
  ack_policy: 'explicit',
  ack_wait: ackWaitMs * nanoseconds,
  max_ack_pending: 1,
  max_deliver: -1,
  max_waiting: 512,
};

/** Where a target continues after `retire` or another program deleted its consumers; `undefined` for a new target. */
async function resumeSequence(sink: Sink, consumer: string): Promise<number | NatsFault | undefined> {
  const last = await lastAttempt(sink, consumer);
  if (last === undefined || isFault(last)) return last;
  const delivery = await sink.nats.read(sink.names.deliveries, { seq: last.sequence });
  if (isFault(delivery) && delivery.fault !== 'not-found') return delivery;
  // Otherwise it was dropped for its age, or its stream was deleted since.
  const isStored = !isFault(delivery) && delivery.time === last.stored;
  return isStored ? last.sequence + (last.verdict === 'retry' ? 0 : 1) : 1;
}

export async function removeConsumers(sink: Sink, { consumers }: SinkTarget): Promise<NatsFault | undefined> {
  const { nats, names } = sink;
  const removed = await Promise.all(
    consumers.map(({ name }) =>
      untilQuorum(sink, limitMs, () => nats.removeConsumer(names.deliveries, name)),
    ),
  );
  return removed.find((result): result is NatsFault => isFault(result) && result.fault !== 'not-found');
}
