// Finds the oldest delivery that some target has not settled, with few reads: in each partition, it is the first one after the lowest ack
// floor of the consumers.

import type { NatsConnection, NatsFault, NatsMessage, NatsStream } from '../../world/world.ts';
import { partitionOfSubject, partitionsOf, sinkSubjects } from './sink-layout.ts';
import { isFault } from './until-quorum.ts';

type Nats = Pick<NatsConnection, 'read'>;

const atOnce = 8;

/**
 * `floors`: for each partition with unsettled deliveries, the number up to which all targets have settled everything. Takes at most one read
 * for each; partitions that cannot hold an older delivery than the oldest found so far are skipped.
 */
export async function findOldestWaiting(
  nats: Nats,
  stream: string,
  floors: ReadonlyMap<number, number>,
): Promise<NatsMessage | NatsFault | undefined> {
  let oldest: NatsMessage | undefined;
  const inOrder = [...floors].toSorted(([, one], [, other]) => one - other);
  for (let at = 0; at < inOrder.length; at += atOnce) {
    const part = inOrder.slice(at, at + atOnce).filter(([, floor]) => !oldest || floor < oldest.sequence);
    if (part.length === 0) break;
    const found = await Promise.all(
      part.map(([partition, floor]) =>
        nats.read(stream, { firstOf: sinkSubjects.delivery(stream, partition), from: floor + 1 }),
      ),
    );
    for (const one of found) {
      if (!isFault(one)) oldest = !oldest || one.sequence < oldest.sequence ? one : oldest;
      // It may have been dropped for its age meanwhile.
      else if (one.fault !== 'not-found') return one;
    }
  }
  return oldest;
}

/** The same for a sink from which nothing has been forwarded yet. Imported history does not wait. */
export async function findFirstWaiting(
  nats: Nats,
  stream: Pick<NatsStream, 'name' | 'subjects'>,
): Promise<NatsMessage | NatsFault | undefined> {
  const { name } = stream;
  const first = await nats.read(name, { firstOf: sinkSubjects.deliveries(name), from: 1 });
  if (isFault(first)) return first.fault === 'not-found' ? undefined : first;
  if (partitionOfSubject(first.subject) !== 'history') return first;
  const partitions = Array.from({ length: partitionsOf(stream) ?? 0 }, (_, partition) => partition);
  return findOldestWaiting(nats, name, new Map(partitions.map((partition) => [partition, first.sequence])));
}
