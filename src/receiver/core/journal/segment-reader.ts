// Reads the frames of a segment piece by piece, even while the segment grows; or single deliveries.

import type { Files, ReadFile } from '#world/world.ts';
import type { StoredDelivery } from '../intake/delivery-journal.ts';
import { readDelivery, readSequence } from './delivery-frame.ts';
import { FrameParser, frameTypes } from './frame.ts';
import type { Segment } from './segment.ts';
import { segmentPath } from './segment-names.ts';

const windowBytes = 64 * 1024;

export class SegmentReader {
  /** Holds the frame or the damage after `next`. */
  readonly parser: FrameParser;
  readonly #file: ReadFile;
  /** The last read reached the end of the file. */
  #isAtEnd = false;

  constructor(file: ReadFile, salt: number | undefined) {
    this.#file = file;
    this.parser = new FrameParser(salt);
  }

  /** Returns `undefined` if the file does not exist. Throws the system's own error. */
  static async open(
    files: Pick<Files, 'openForReading'>,
    folder: string,
    number: number,
    salt?: number,
  ): Promise<SegmentReader | undefined> {
    const file = await files.openForReading(segmentPath(folder, number));
    return file && new SegmentReader(file, salt);
  }

  /** Like `next`, for frames in memory only: a promise for each frame costs more than finding it. */
  nextInMemory(): 'frame' | 'damage' | undefined {
    if (this.#isAtEnd) return undefined;
    const step = this.parser.next();
    return step === 'more' ? undefined : step;
  }

  /** `end`: nothing more for now, except `parser.left` bytes without a valid frame. Throws the system's own error. */
  async next(): Promise<'frame' | 'damage' | 'end'> {
    const { parser } = this;
    // The receiver may have cut off and rewritten the end since.
    if (this.#isAtEnd) {
      const step = parser.next();
      if (step !== 'more') return step;
      parser.forgetRest();
    }
    for (;;) {
      const step = parser.next();
      if (step !== 'more') return step;
      const length = Math.max(windowBytes, parser.needed - parser.remaining);
      const more = await this.#file.read(parser.position + parser.remaining, length);
      this.#isAtEnd = more.length < length;
      if (more.length === 0) return 'end';
      parser.feed(more);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Reads single deliveries, one call at a time. It continues where it stopped, so ascending order is fastest. */
export function createDeliveryReader(files: Pick<Files, 'openForReading'>, folder: string) {
  let open: { readonly number: number; readonly reader: SegmentReader } | undefined;
  /** The sequence number that the reader has reached. */
  let reached = 0;
  const close = async () => {
    const last = open;
    open = undefined;
    await last?.reader.close();
  };
  return {
    /** Returns `undefined` if the delivery is missing or damaged. Throws the system's own error. */
    async read({ number, salt }: Segment, sequence: number): Promise<StoredDelivery | undefined> {
      if (open?.number !== number || reached > sequence) {
        await close();
        const reader = await SegmentReader.open(files, folder, number, salt);
        if (!reader) return undefined;
        open = { number, reader };
        reached = 0;
      }
      const { reader } = open;
      const { parser } = reader;
      while (reached < sequence) {
        const step = await reader.next();
        if (step === 'end') return undefined;
        if (step === 'frame' && parser.type === frameTypes.delivery)
          reached = readSequence(parser.bytes, parser.start);
      }
      return reached === sequence ? readDelivery(parser.bytes, parser.start, parser.end) : undefined;
    },
    close,
  };
}
