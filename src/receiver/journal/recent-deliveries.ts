// Keeps new deliveries in memory until the forwarder takes them, which saves reading them from the disk. They are plain bytes, because
// long-lived objects mislead V8's allocation. If memory is short, the oldest stay: the forwarder takes them first.

import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { readDelivery, readSequence } from './delivery-frame.ts';

const spaceBytes = { least: 64 * 1024, most: 4 * 1024 * 1024 } as const;
/** The length in front of each payload. */
const lengthBytes = 4;

export class RecentDeliveries {
  #bytes = Buffer.allocUnsafe(spaceBytes.least);
  /** The oldest payload begins at `#from`; the next one goes to `#to`. */
  #from = 0;
  #to = 0;

  /** Adds the payload of a frame. Sequence numbers must ascend. */
  add(bytes: Buffer, start: number, end: number): void {
    const needed = this.#to + lengthBytes + end - start;
    if (needed > spaceBytes.most) return;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(spaceBytes.most, Math.max(needed, 2 * this.#bytes.length)));
      this.#bytes.copy(larger, 0, 0, this.#to);
      this.#bytes = larger;
    }
    this.#bytes.writeUInt32LE(end - start, this.#to);
    bytes.copy(this.#bytes, this.#to + lengthBytes, start, end);
    this.#to = needed;
  }

  /** Removes the delivery and all earlier ones. */
  take(sequence: number): StoredDelivery | undefined {
    while (this.#from < this.#to) {
      const start = this.#from + lengthBytes;
      const found = readSequence(this.#bytes, start);
      if (found > sequence) return undefined;
      const end = start + this.#bytes.readUInt32LE(this.#from);
      this.#from = end;
      if (end === this.#to) {
        this.#from = 0;
        this.#to = 0;
      }
      if (found === sequence) return readDelivery(this.#bytes, start, end);
    }
    return undefined;
  }
}
