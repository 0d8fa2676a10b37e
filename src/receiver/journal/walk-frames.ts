// Walks through all frames of a segment whose bytes are in memory.

import { FrameParser } from './frame.ts';

export interface Gap {
  /** Where in the file it begins. */
  readonly offset: number;
  readonly bytes: number;
}

export interface WalkedFrames {
  /** Bytes that are not a valid frame, but are followed by one. */
  readonly damage: readonly Gap[];
  /** The bytes after the last valid frame. */
  readonly rest: Gap;
  /** The rest is a frame that was begun and not ended. */
  readonly isCutOff: boolean;
}

/** The parser has the type, and where in its bytes the payload begins and ends. */
export function walkFrames(segment: Uint8Array, visit: (parser: FrameParser) => void): WalkedFrames {
  const parser = new FrameParser();
  const damage: Gap[] = [];
  parser.feed(segment);
  for (;;) {
    const step = parser.next();
    if (step === 'frame') visit(parser);
    else if (step === 'damage') damage.push(parser.damage);
    else {
      const rest = { offset: parser.position, bytes: parser.left };
      return { damage, rest, isCutOff: rest.bytes > 0 && parser.isCutOff() };
    }
  }
}
