// The last deliveries that were stored, in memory, so that those that are forwarded at once need not be read from the disk.

import type { StoredDelivery } from '../stored-delivery.ts';

const mostBytes = 4 * 1024 * 1024;
/** For the headers and the objects of one. */
const extraBytes = 1024;

export class RecentDeliveries {
  readonly #found = new Map<number, StoredDelivery>();
  #bytes = 0;

  add(delivery: StoredDelivery): void {
    this.#found.set(delivery.sequence, delivery);
    this.#bytes += delivery.body.length + extraBytes;
    for (const sequence of this.#found.keys()) {
      if (this.#bytes <= mostBytes) return;
      this.take(sequence);
    }
  }

  /** Removes it. */
  take(sequence: number): StoredDelivery | undefined {
    const delivery = this.#found.get(sequence);
    if (delivery === undefined || !this.#found.delete(sequence)) return undefined;
    this.#bytes -= delivery.body.length + extraBytes;
    return delivery;
  }
}
