// What one target has of the journal in memory: its deliveries that are not settled, up to a number, those of a subject in order. A
// target whose window is full falls behind the others, and holds up none of them.

import type { Journal } from '../intake/delivery-journal.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { createLaneQueue, type LaneQueue } from './lane-queue.ts';
import type { Target } from './target.ts';
import type { TargetLine } from './target-line.ts';

/** A delivery that is in the window of at least one target. */
export interface Entry {
  readonly sequence: number;
  readonly receivedAt: number;
  /** Its targets that have not taken it, with the number of attempts that each has had: also those that are behind. */
  readonly open: Map<Target, number>;
  /** How many windows it is in. */
  windows: number;
}

export interface TargetWindow {
  readonly target: Target;
  readonly line: TargetLine;
  readonly lanes: LaneQueue<Entry>;
  readonly cache: DeliveryCache;
  /** The deliveries that it has settled, and that still hold up the next of their subjects. */
  readonly leaving: Set<number>;
  /** While it is behind: the delivery from which on it has had none. */
  behindFrom: number | undefined;
  /** Ends when it is no longer behind. */
  catchingUp: Promise<void> | undefined;
  readonly hasRoom: boolean;
  /** It has had a delivery. */
  isUsed: boolean;
}

export interface WindowOptions {
  readonly journal: Pick<Journal, 'read'>;
  /** How many deliveries are read ahead at most, and how many bytes of them are kept. */
  readonly size: number;
  readonly mostBytes: number;
}

export function createTargetWindow(
  target: Target,
  line: TargetLine,
  { journal, size, mostBytes }: WindowOptions,
): TargetWindow {
  const lanes = createLaneQueue<Entry>();
  return {
    target,
    line,
    lanes,
    cache: createDeliveryCache(journal, mostBytes),
    leaving: new Set(),
    behindFrom: undefined,
    catchingUp: undefined,
    isUsed: false,
    get hasRoom() {
      return lanes.size < size;
    },
  };
}

export type DeliveryCache = ReturnType<typeof createDeliveryCache>;

/** For each delivery, whatever is in it. */
const overheadBytes = 1024;

export function createDeliveryCache(journal: Pick<Journal, 'read'>, mostBytes: number) {
  const deliveries = new Map<number, StoredDelivery>();
  let bytes = 0;
  return {
    /** Unless there is no room. */
    keep(delivery: StoredDelivery) {
      const size = sizeOf(delivery);
      if (bytes + size > mostBytes) return;
      bytes += size;
      deliveries.set(delivery.sequence, delivery);
    },
    /** Rejects if it cannot be read. */
    async load(sequence: number) {
      const delivery = deliveries.get(sequence) ?? (await journal.read(sequence));
      if (delivery) return delivery;
      throw new Error(`Delivery ${sequence} is no longer in the journal`);
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
