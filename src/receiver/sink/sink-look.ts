// The current state of the consumers of a sink: which deliveries are settled, and what holds up each target. Only consumers that have not
// moved for some seconds are examined: a delivery that is on its way holds up nothing.

import type { Clock, NatsConnection, NatsConsumer } from '../../world/world.ts';
import { readBacklog, type SinkBacklog } from './sink-backlog.ts';
import {
  partitionOfConsumer,
  type partitionOfSubject,
  sinkStreams,
  sinkSubjects,
  targetOfConsumer,
} from './sink-layout.ts';
import { describeSilence } from './sink-parts.ts';
import { readProgress } from './sink-progress.ts';

/** A target that a delivery holds up. */
export interface HeldUpTarget {
  /** The hash of the target in the names of its consumers; `undefined`: no forwarder has run yet. */
  readonly target: string | undefined;
  readonly waiting: number;
  /** How many of its partitions are held up by a delivery that has failed. */
  readonly retrying: number;
  /** When the oldest delivery that holds up a partition was stored, in milliseconds since 1970. */
  readonly oldest: number;
  /** Its sequence number. */
  readonly head: number;
}

export interface SinkLook {
  /** Rejects if the servers do not respond. */
  now(): Promise<void>;
  targets(): number;
  /** Whether there is a target with this hash in the names of consumers. */
  hasTarget(target: string): boolean;
  /** The sequence number of the oldest stored delivery; 1 until it is known. */
  first(): number;
  unfinished(): number;
  heldUp(): readonly HeldUpTarget[];
  /** For all targets. Not known for the last few seconds: the servers may not agree yet, and notes may not be written yet. */
  isSettled(delivery: {
    readonly partition: ReturnType<typeof partitionOfSubject>;
    readonly sequence: number;
    readonly receivedAt: number;
  }): boolean;
}

interface Head {
  readonly target: string;
  readonly sequence: number;
  readonly time: number;
  readonly hasFailed: boolean;
}

const atOnce = 8;
/** A consumer that has not moved for this long is held up. */
const heldMs = 4_500;
/** After this time all servers know of a delivery, and the notes about it are written. */
const knownMs = 900;
/** All servers know what was received before this. It leaves room for a receiver's clock that differs from ours. */
const longAgoMs = 60_000;

type Nats = Pick<NatsConnection, 'stream' | 'consumers' | 'read' | 'count' | 'outage'>;

export function createSinkLook(
  nats: Nats,
  clock: Pick<Clock, 'now' | 'monotonic'>,
  stream: string,
): SinkLook {
  const names = sinkStreams(stream);
  let backlog: SinkBacklog | undefined;
  let lookedAt = 0;
  /** The last delivery at each of two looks that are `knownMs` apart. */
  let before = { at: Number.NEGATIVE_INFINITY, last: 0 };
  let marked = before;
  /** The ack floor of each consumer, and since when it is there. */
  let floors: ReadonlyMap<string, { readonly ackFloor: number; readonly since: number }> = new Map();
  let heldUp: readonly HeldUpTarget[] = [];

  const examine = async ({ name, ackFloor }: NatsConsumer): Promise<Head | undefined> => {
    const partition = partitionOfConsumer(name);
    if (partition === undefined) return undefined;
    const [head, last] = await Promise.all([
      nats.read(names.deliveries, { firstOf: sinkSubjects.delivery(stream, partition), from: ackFloor + 1 }),
      readProgress(nats, stream, name),
    ]);
    if ('fault' in head) return undefined;
    const progress = 'fault' in last ? undefined : last.progress;
    const hasFailed = progress?.sequence === head.sequence && progress.attempt > 0;
    return { target: targetOfConsumer(name), sequence: head.sequence, time: head.time, hasFailed };
  };

  /** No forwarder has run yet. */
  const untouched = ({ unfinished, oldestUnfinished, settledTo }: SinkBacklog): readonly HeldUpTarget[] =>
    unfinished === 0 || oldestUnfinished === undefined
      ? []
      : [
          {
            target: undefined,
            waiting: unfinished,
            retrying: 0,
            oldest: oldestUnfinished,
            head: settledTo + 1,
          },
        ];

  const noteFloors = (consumers: readonly NatsConsumer[], now: number) => {
    floors = new Map(
      consumers.map(({ name, ackFloor }) => {
        const known = floors.get(name);
        return [name, known?.ackFloor === ackFloor ? known : { ackFloor, since: now }];
      }),
    );
  };

  const findHeldUp = async (
    consumers: readonly NatsConsumer[],
    now: number,
  ): Promise<readonly HeldUpTarget[]> => {
    const held = consumers.filter(
      ({ name, unacknowledged }) => unacknowledged > 0 && now - (floors.get(name)?.since ?? now) >= heldMs,
    );
    const heads: Head[] = [];
    for (let at = 0; at < held.length; at += atOnce) {
      const found = await Promise.all(held.slice(at, at + atOnce).map(examine));
      heads.push(...found.filter((head) => head !== undefined));
    }
    const waiting = new Map<string, number>();
    for (const { name, unacknowledged } of consumers) {
      const target = targetOfConsumer(name);
      waiting.set(target, (waiting.get(target) ?? 0) + unacknowledged);
    }
    return [...waiting].flatMap(([target, count]) => {
      const own = heads.filter((head) => head.target === target);
      const [first, ...others] = own;
      if (first === undefined) return [];
      const oldest = others.reduce((one, other) => (other.time < one.time ? other : one), first);
      const retrying = own.filter(({ hasFailed }) => hasFailed).length;
      return [{ target, waiting: count, retrying, oldest: oldest.time, head: oldest.sequence }];
    });
  };

  return {
    async now() {
      const found = await readBacklog(nats, stream);
      if ('fault' in found) throw new Error(describeSilence(found, nats.outage()));
      const now = clock.monotonic();
      noteFloors(found.consumers, now);
      heldUp = found.targets === 0 ? untouched(found) : await findHeldUp(found.consumers, now);
      if (now - marked.at >= knownMs) {
        before = marked;
        marked = { at: now, last: found.stream.lastSequence };
      }
      backlog = found;
      lookedAt = clock.now();
    },
    targets: () => backlog?.targets ?? 0,
    hasTarget: (target) => backlog?.consumers.some(({ name }) => targetOfConsumer(name) === target) === true,
    first: () => Math.max(1, backlog?.stream.firstSequence ?? 1),
    unfinished: () => backlog?.unfinished ?? 0,
    heldUp: () => heldUp,
    isSettled: ({ partition, sequence, receivedAt }) =>
      backlog !== undefined &&
      (sequence <= before.last || receivedAt < lookedAt - longAgoMs) &&
      !backlog.isUnfinished(partition, sequence),
  };
}
