// Keeps new deliveries in memory until a reader takes them, which saves reading them from the disk. They are plain bytes, because
// long-lived objects mislead V8's allocation. If memory is short, the oldest stay: they are taken first.

import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { readDelivery, readSequence } from './delivery-frame.ts';
import { FrameBuffer, frameTypes, headerBytes } from './frame.ts';

const maxBytes = 4 * 1024 * 1024;

export class RecentDeliveries {
  readonly #frames = new FrameBuffer();
  /** The oldest frame begins here. */
  #start = 0;

  /** Adds the payload of a frame. Sequence numbers must ascend. */
  add(bytes: Buffer, start: number, end: number): void {
    if (this.#frames.length + headerBytes + end - start > maxBytes) return;
    const payload = this.#frames.begin(frameTypes.delivery, end - start);
    bytes.copy(this.#frames.bytes, payload, start, end);
    this.#frames.end(payload + end - start);
  }

  /** Removes the delivery and all earlier ones. */
  take(sequence: number): StoredDelivery | undefined {
    const frames = this.#frames;
    while (this.#start < frames.length) {
      const payload = this.#start + headerBytes;
      const oldest = readSequence(frames.bytes, payload);
      if (oldest > sequence) return undefined;
      const end = frames.endAt(this.#start);
      this.#start = end;
      if (end === frames.length) this.#start = frames.length = 0;
      if (oldest === sequence) return readDelivery(frames.bytes, payload, end);
    }
    return undefined;
  }
}
