// Reads the frames of a segment from the disk piece by piece, even while the segment grows.

import type { Files, ReadFile } from '#world/world.ts';
import { FrameParser } from './frame.ts';
import { segmentPath } from './segment-names.ts';

const windowBytes = 256 * 1024;

export class SegmentReader {
  /** After `next`: the frame or the damage. */
  readonly parser: FrameParser;
  readonly #file: ReadFile;
  /** The last read came to the end of the file. */
  #isAtEnd = false;

  constructor(file: ReadFile, salt: number | undefined) {
    this.#file = file;
    this.parser = new FrameParser(salt);
  }

  /** `undefined` if there is no such segment. Throws the system's own error. */
  static async open(
    files: Pick<Files, 'openForReading'>,
    folder: string,
    number: number,
    salt?: number,
  ): Promise<SegmentReader | undefined> {
    const file = await files.openForReading(segmentPath(folder, number));
    return file && new SegmentReader(file, salt);
  }

  /** What `next` would find, if it is in memory: a promise for each of many frames takes longer than to find them. */
  nextInMemory(): 'frame' | 'damage' | undefined {
    if (this.#isAtEnd) return undefined;
    const step = this.parser.next();
    return step === 'more' ? undefined : step;
  }

  /** `end`: there is no more now; `parser.left` bytes that are no valid frame follow. Throws the system's own error. */
  async next(): Promise<'frame' | 'damage' | 'end'> {
    const { parser } = this;
    // The end of the file may have been cut off and rewritten since.
    if (this.#isAtEnd) {
      const step = parser.next();
      if (step !== 'more') return step;
      parser.forgetRest();
    }
    for (;;) {
      const step = parser.next();
      if (step !== 'more') return step;
      const length = Math.max(windowBytes, parser.needed - parser.left);
      const more = await this.#file.read(parser.position + parser.left, length);
      this.#isAtEnd = more.length < length;
      if (more.length === 0) return 'end';
      parser.feed(more);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
