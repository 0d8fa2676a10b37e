// Keeps the newest deliveries in memory, so that those that are forwarded at once need not be read from the disk.

import type { ReceivedDelivery } from '../stored-delivery.ts';

const mostBytes = 4 * 1024 * 1024;
/** For the headers and the objects of one. */
const extraBytes = 1024;

export class RecentDeliveries {
  readonly #found = new Map<number, ReceivedDelivery>();
  #bytes = 0;

  add(sequence: number, delivery: ReceivedDelivery): void {
    this.#found.set(sequence, delivery);
    this.#bytes += delivery.body.length + extraBytes;
    if (this.#bytes <= mostBytes) return;
    for (const oldest of this.#found.keys()) {
      this.take(oldest);
      if (this.#bytes <= mostBytes) return;
    }
  }

  /** Removes it. */
  take(sequence: number): ReceivedDelivery | undefined {
    const delivery = this.#found.get(sequence);
    if (delivery === undefined || !this.#found.delete(sequence)) return undefined;
    this.#bytes -= delivery.body.length + extraBytes;
    return delivery;
  }
}
