// Keeps deliveries that were stored and not yet read in memory, so that those that are forwarded at once need not be read from the
// disk. Keeps them as plain bytes: objects that live long, as they do while a target is down, teach V8 to keep all that are made in
// the same place. Where there is no room, the newest stay out, since the reader comes to the oldest first.

import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { readDelivery, readSequence } from './delivery-frame.ts';

const spaceBytes = { least: 64 * 1024, most: 4 * 1024 * 1024 } as const;
/** In front of each payload: how long it is. */
const lengthBytes = 4;

export class RecentDeliveries {
  #bytes = Buffer.allocUnsafe(spaceBytes.least);
  /** Where the oldest one begins, and the next one will. */
  #from = 0;
  #to = 0;

  /** The payload of a frame, with its sequence number: larger than those before. */
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

  /** Removes it, and those before it. */
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
