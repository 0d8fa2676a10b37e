// Reads single deliveries from the disk. It continues where it stopped, so ascending order is fastest.

import type { Files } from '#world/world.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { readDelivery, readSequence } from './delivery-frame.ts';
import { frameTypes } from './frame.ts';
import type { Segment } from './segment.ts';
import { SegmentReader } from './segment-reader.ts';

/** One call at a time. */
export class DeliveryReader {
  readonly #files: Pick<Files, 'openForReading'>;
  readonly #folder: string;
  #open: { readonly number: number; readonly reader: SegmentReader } | undefined;
  /** The sequence number that the reader has reached. */
  #reached = 0;

  constructor(files: Pick<Files, 'openForReading'>, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  /** Returns `undefined` if the delivery is missing or damaged. Throws the system's own error. */
  async read({ number, salt }: Segment, sequence: number): Promise<StoredDelivery | undefined> {
    if (this.#open?.number !== number || this.#reached > sequence) {
      await this.close();
      const reader = await SegmentReader.open(this.#files, this.#folder, number, salt);
      if (!reader) return undefined;
      this.#open = { number, reader };
      this.#reached = 0;
    }
    const { reader } = this.#open;
    const { parser } = reader;
    while (this.#reached < sequence) {
      const step = await reader.next();
      if (step === 'end') return undefined;
      if (step === 'frame' && parser.type === frameTypes.delivery)
        this.#reached = readSequence(parser.bytes, parser.start);
    }
    return this.#reached === sequence ? readDelivery(parser.bytes, parser.start, parser.end) : undefined;
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.reader.close();
  }
}
