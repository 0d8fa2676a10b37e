// The targets of a sink, by their consumers: what waits for each, its name as far as a forwarder has recorded it, and who serves it.

import { consumerFor, targetOfConsumer } from '../../../receiver/sink/sink-layout.ts';
import type { NatsConsumer } from '../../../world/world.ts';
import { type SinkForwarder, targetsOf } from './sink-forwarders.ts';

export interface SinkTarget {
  /** Stands for the target in the names of its consumers. */
  readonly hash: string;
  /** `undefined` if no record of a forwarder has it: one that has ended gives its slot, and so its record, to the next one. */
  readonly name: string | undefined;
  readonly consumers: readonly string[];
  readonly waiting: number;
  readonly forwarders: readonly SinkForwarder[];
}

/** `consumers`: those of targets. */
export function findSinkTargets(
  consumers: readonly Pick<NatsConsumer, 'name' | 'unacknowledged'>[],
  all: readonly SinkForwarder[],
): readonly SinkTarget[] {
  const names = new Map(all.flatMap(targetsOf).map((name) => [hashOfTarget(name), name]));
  const targets = new Map<string, SinkTarget>();
  for (const { name: consumer, unacknowledged } of consumers) {
    const hash = targetOfConsumer(consumer);
    const before = targets.get(hash);
    targets.set(hash, {
      hash,
      name: names.get(hash),
      consumers: [...(before?.consumers ?? []), consumer],
      waiting: (before?.waiting ?? 0) + unacknowledged,
      forwarders:
        before?.forwarders ?? all.filter((one) => targetsOf(one).some((name) => hashOfTarget(name) === hash)),
    });
  }
  return [...targets.values()];
}

export const hashOfTarget = (name: string) => targetOfConsumer(consumerFor(name, 0));
