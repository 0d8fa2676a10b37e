// The log of deliveries, for tests that look at what was sent: the latest ones, oldest first.

import type { Delivery } from '../state/delivery.ts';

const maxEntries = 10_000;

export interface DeliveryLog {
  readonly entries: readonly Delivery[];
  add(delivery: Delivery): void;
  clear(): void;
}

export function createDeliveryLog(): DeliveryLog {
  const entries: Delivery[] = [];
  return {
    entries,
    add(delivery) {
      entries.push(delivery);
      // Removing them one at a time would move all the others each time.
      if (entries.length > maxEntries * 2) entries.splice(0, entries.length - maxEntries);
    },
    clear() {
      entries.length = 0;
    },
  };
}
