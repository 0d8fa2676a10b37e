// Reads deliveries of segments from the disk, one after the other, through a window of the file.

import type { Files, ReadFile } from '../../world/world.ts';
import type { StoredDelivery } from '../stored-delivery.ts';
import { readDelivery, readSequence } from './delivery-frame.ts';
import { FrameParser, frameTypes } from './frame.ts';
import type { Segment } from './segment.ts';
import { segmentPath } from './segment-names.ts';

const windowBytes = 256 * 1024;

/** Fastest where each delivery follows after the one that was read before. One call at a time. */
export class DeliveryReader {
  readonly #files: Pick<Files, 'openForReading'>;
  readonly #folder: string;
  #open: { readonly number: number; readonly file: ReadFile; readonly parser: FrameParser } | undefined;
  /** The sequence number of the delivery that the parser has reached. */
  #reached = 0;
  /** The last read came to the end of the file. */
  #isAtEnd = false;

  constructor(files: Pick<Files, 'openForReading'>, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  /** `undefined` if it is not there, or damaged. Throws the system's own error. */
  async read({ number, salt }: Segment, sequence: number): Promise<StoredDelivery | undefined> {
    if (this.#open?.number !== number || this.#reached > sequence) {
      await this.close();
      const file = await this.#files.openForReading(segmentPath(this.#folder, number));
      if (!file) return undefined;
      this.#open = { number, file, parser: new FrameParser(salt) };
      this.#reached = 0;
      this.#isAtEnd = false;
    }
    const { file, parser } = this.#open;
    while (this.#reached < sequence) {
      const step = parser.next();
      if (step === 'frame' && parser.type === frameTypes.delivery)
        this.#reached = readSequence(parser.bytes, parser.start);
      if (step !== 'more') continue;
      // What is at the end of the file may have been cut off since, and written anew.
      if (this.#isAtEnd) parser.forgetRest();
      const length = Math.max(windowBytes, parser.needed - parser.left);
      const more = await file.read(parser.position + parser.left, length);
      this.#isAtEnd = more.length < length;
      if (more.length === 0) return undefined;
      parser.feed(more);
    }
    return this.#reached === sequence ? readDelivery(parser.bytes, parser.start, parser.end) : undefined;
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.file.close();
  }
}
