// Holds the unsettled deliveries of one target in memory, up to a number, in order for each subject. A target whose window is full falls
// behind without holding up the others.

import type { Journal } from '../intake/delivery-journal.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { createLaneQueue } from './lane-queue.ts';
import type { Target } from './target.ts';
import type { TargetLine } from './target-line.ts';

/** A delivery that is in the window of at least one target. */
export interface Entry {
  readonly sequence: number;
  readonly receivedAt: number;
  /** The targets that have not settled it, including targets that are behind, with their number of attempts. */
  readonly open: Map<Target, number>;
  /** The number of windows that hold it. */
  windows: number;
}

export type TargetWindow = ReturnType<typeof createTargetWindow>;

/** `size`: how many deliveries to read ahead. */
export function createTargetWindow(
  target: Target,
  line: TargetLine,
  cache: ReturnType<typeof createDeliveryCache>,
  size: number,
) {
  const lanes = createLaneQueue<Entry>();
  return {
    target,
    line,
    lanes,
    cache,
    /** Settled deliveries that still hold up the next of their subjects. */
    leaving: new Set<number>(),
    /** While the target is behind: the first delivery that it has not received. */
    behindFrom: undefined as number | undefined,
    /** Resolves when the target has caught up. */
    catchingUp: Promise.resolve(),
    /** A delivery has been for this target. */
    isUsed: false,
    get hasRoom() {
      return lanes.size < size;
    },
  };
}

/** The memory for each delivery besides its content. */
const overheadBytes = 1024;

/** Keeps up to `maxBytes` of deliveries in memory. */
export function createDeliveryCache(journal: Pick<Journal, 'read'>, maxBytes: number) {
  const deliveries = new Map<number, StoredDelivery>();
  let bytes = 0;
  return {
    /** Keeps the delivery unless that exceeds the limit. */
    keep(delivery: StoredDelivery) {
      const size = sizeOf(delivery);
      if (bytes + size > maxBytes) return;
      bytes += size;
      deliveries.set(delivery.sequence, delivery);
    },
    /** Rejects if it cannot be read. */
    async load(sequence: number) {
      const delivery = deliveries.get(sequence) ?? (await journal.read(sequence));
      if (delivery) return delivery;
      throw new Error(`The journal has dropped delivery ${sequence}`);
    },
    forget(sequence: number) {
      const delivery = deliveries.get(sequence);
      if (!delivery) return;
      deliveries.delete(sequence);
      bytes -= sizeOf(delivery);
    },
  };
}

function sizeOf({ body, headers }: StoredDelivery): number {
  return headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    overheadBytes + body.byteLength,
  );
}
