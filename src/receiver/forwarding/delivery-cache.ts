// Keeps the deliveries that a target is to get in memory, up to a number of bytes. The others are read again when they are due.

import type { Journal } from '../intake/delivery-journal.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';

/** The memory for each delivery besides its content. */
const overheadBytes = 1024;

export type DeliveryCache = ReturnType<typeof createDeliveryCache>;

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
