// Keeps the deliveries of the forwarder's window in memory, up to a number of bytes. The rest are read from the journal again when
// their turn comes, because each may be as large as the receiver allows.

import type { Journal } from '../delivery-journal.ts';
import type { StoredDelivery } from '../stored-delivery.ts';

export interface DeliveryCache {
  /** Unless there is no room. */
  keep(delivery: StoredDelivery): void;
  /** Rejects if it cannot be read. */
  load(sequence: number): Promise<StoredDelivery>;
  forget(sequence: number): void;
}

/** For each delivery, whatever is in it. */
const overheadBytes = 1024;

export function createDeliveryCache(journal: Pick<Journal, 'read'>, mostBytes: number): DeliveryCache {
  const deliveries = new Map<number, StoredDelivery>();
  let bytes = 0;
  return {
    keep(delivery) {
      const size = sizeOf(delivery);
      if (bytes + size > mostBytes) return;
      bytes += size;
      deliveries.set(delivery.sequence, delivery);
    },
    async load(sequence) {
      const delivery = deliveries.get(sequence) ?? (await journal.read(sequence));
      if (delivery) return delivery;
      throw new Error(`Delivery ${sequence} is no longer in the journal`);
    },
    forget(sequence) {
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
