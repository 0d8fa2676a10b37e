// Makes sure that each target has its consumers, one for each partition. A new target gets what the others have not settled, as from the
// local journal; the first target gets everything. A target whose consumers were deleted continues where it was.

import type { Clock, NatsConnection, NatsFault } from '../../world/world.ts';
import type { Target } from '../forwarding/target.ts';
import { consumerFor, partitionOfConsumer, sinkStreams, sinkSubjects } from './sink-layout.ts';
import { readProgress, writeProgress } from './sink-progress.ts';
import { isFault, untilQuorum } from './until-quorum.ts';

export interface ConsumerOptions {
  readonly nats: Pick<NatsConnection, 'consumer' | 'consumers' | 'createConsumer' | 'read' | 'publish'>;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly stream: string;
  readonly partitions: number;
  readonly targets: readonly Target[];
  readonly ackWaitMs: number;
}

interface Wanted {
  readonly partition: number;
  readonly consumer: string;
}

/** How many are created at once. The servers agree on them one after another. */
const atOnce = 16;
const limitMs = 30_000;

export async function ensureConsumers(options: ConsumerOptions): Promise<NatsFault | undefined> {
  const { nats, clock, stream, partitions, targets } = options;
  const name = sinkStreams(stream).deliveries;
  const ask = <T>(run: () => Promise<T | NatsFault>) => untilQuorum(clock, limitMs, run);
  const wanted = targets.flatMap((target) =>
    Array.from({ length: partitions }, (_, partition): Wanted => {
      return { partition, consumer: consumerFor(target.name, partition) };
    }),
  );
  const missing: Wanted[] = [];
  const looked = await inParts(wanted, async (one) => {
    const found = await ask(() => nats.consumer(name, one.consumer));
    if (!isFault(found)) {
      if (found.weakness === undefined) return undefined;
      return { fault: 'conflict', detail: `the consumer ${found.name} was changed: ${found.weakness}` };
    }
    if (found.fault !== 'not-found') return found;
    missing.push(one);
    return undefined;
  });
  if (looked || missing.length === 0) return looked;
  const listed = await ask(() => nats.consumers(name));
  if (isFault(listed)) return listed;
  const from = new Map<number, number>();
  for (const { name: consumer, ackFloor } of listed) {
    const partition = partitionOfConsumer(consumer);
    if (partition !== undefined)
      from.set(partition, Math.min(from.get(partition) ?? ackFloor + 1, ackFloor + 1));
  }
  return inParts(missing, async ({ partition, consumer }) => {
    const before = await ask(() => findProgress(nats, stream, consumer));
    if (isFault(before)) return before;
    const start = before.from ?? from.get(partition) ?? 1;
    if (before.from === undefined) {
      const begun = await ask(() => begin(nats, stream, consumer, start));
      if (isFault(begun) && begun.fault !== 'conflict') return begun;
    }
    const settings = {
      name: consumer,
      subject: sinkSubjects.delivery(stream, partition),
      ackWaitMs: options.ackWaitMs,
      from: start,
    };
    const created = await ask(() => nats.createConsumer(name, settings));
    // Another forwarder may have created it meanwhile, with another start.
    return isFault(created) && created.fault !== 'exists' ? created : undefined;
  });
}

/** Records where a consumer starts, so that the consumer need not be asked. */
async function begin(
  nats: ConsumerOptions['nats'],
  stream: string,
  consumer: string,
  from: number,
): Promise<object | NatsFault> {
  const sequence = from - 1;
  const found = sequence === 0 ? undefined : await nats.read(sinkStreams(stream).deliveries, { sequence });
  if (found && isFault(found) && found.fault !== 'not-found') return found;
  const stored = found && !isFault(found) ? found.time : 0;
  return writeProgress(
    nats,
    stream,
    consumer,
    { sequence, stored, attempt: 0, state: 'forwarded', holder: 'nobody' },
    { at: 0, progress: undefined },
  );
}

/** Where a consumer of this name was; no `from` if there was none. From there on, nothing that is settled is sent again. */
async function findProgress(
  nats: ConsumerOptions['nats'],
  stream: string,
  consumer: string,
): Promise<{ readonly from?: number } | NatsFault> {
  const last = await readProgress(nats, stream, consumer);
  if ('fault' in last) return last;
  if (last.progress === undefined) return {};
  const { sequence, stored } = last.progress;
  if (sequence === 0) return { from: 1 };
  const found = await nats.read(sinkStreams(stream).deliveries, { sequence });
  if ('fault' in found && found.fault !== 'not-found') return found;
  // The delivery may have been dropped for its age, or have been in a stream that was deleted.
  const isSame = !('fault' in found) && (stored === 0 || found.time === stored);
  return { from: isSame ? sequence : 1 };
}

/** Stops at the first fault. */
async function inParts(
  all: readonly Wanted[],
  run: (one: Wanted) => Promise<NatsFault | undefined>,
): Promise<NatsFault | undefined> {
  for (let at = 0; at < all.length; at += atOnce) {
    const results = await Promise.all(all.slice(at, at + atOnce).map(run));
    const fault = results.find((one) => one !== undefined);
    if (fault) return fault;
  }
  return undefined;
}
