// Keeps new deliveries in memory until the forwarder takes them, which saves reading them from the disk. They are plain bytes, because
// long-lived objects mislead V8's allocation. If memory is short, the oldest stay: the forwarder takes them first.

import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { readDelivery, readSequence } from './delivery-frame.ts';

const bufferBytes = { min: 64 * 1024, max: 4 * 1024 * 1024 } as const;
/** The length in front of each payload. */
const lengthBytes = 4;

export class RecentDeliveries {
  #bytes = Buffer.allocUnsafe(bufferBytes.min);
  /** The oldest payload begins at `#start`; the next one goes to `#end`. */
  #start = 0;
  #end = 0;

  /** Adds the payload of a frame. Sequence numbers must ascend. */
  add(bytes: Buffer, start: number, end: number): void {
    const needed = this.#end + lengthBytes + end - start;
    if (needed > bufferBytes.max) return;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(bufferBytes.max, Math.max(needed, 2 * this.#bytes.length)));
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
    }
    this.#bytes.writeUInt32LE(end - start, this.#end);
    bytes.copy(this.#bytes, this.#end + lengthBytes, start, end);
    this.#end = needed;
  }

  /** Removes the delivery and all earlier ones. */
  take(sequence: number): StoredDelivery | undefined {
    while (this.#start < this.#end) {
      const start = this.#start + lengthBytes;
      const oldest = readSequence(this.#bytes, start);
      if (oldest > sequence) return undefined;
      const end = start + this.#bytes.readUInt32LE(this.#start);
      this.#start = end;
      if (end === this.#end) {
        this.#start = 0;
        this.#end = 0;
      }
      if (oldest === sequence) return readDelivery(this.#bytes, start, end);
    }
    return undefined;
  }
}
