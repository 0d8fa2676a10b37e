// Chooses the old segments to drop, by age or to make room. A segment with an unfinished delivery always stays.

import type { Dropped } from './contents.ts';
import type { Segment } from './segment.ts';

export interface Retention {
  /** The size limit of all segments together. */
  readonly maxBytes: number;
  /** The maximum age of a segment's newest delivery. */
  readonly keepDays: number;
}

export const dayMs = 24 * 60 * 60 * 1000;

/** The clock may be far ahead: a segment is too old only if it was already when the last segment was begun. */
export const trustedTime = (now: number, begun: number): number => Math.min(now, begun);

/** Returns `undefined` if dropping every finished segment still leaves too little room for `neededBytes`. */
export function chooseDropped(
  segments: readonly Segment[],
  { maxBytes, keepDays }: Retention,
  time: number,
  neededBytes: number,
): readonly Segment[] | undefined {
  let bytes = segments.reduce((sum, segment) => sum + segment.bytes, neededBytes);
  const dropped: Segment[] = [];
  for (const segment of segments) {
    const isOld = time - segment.newest > keepDays * dayMs;
    if (segment.unfinished > 0 || (!isOld && bytes <= maxBytes)) continue;
    dropped.push(segment);
    bytes -= segment.bytes;
  }
  return bytes <= maxBytes ? dropped : undefined;
}

export function addDropped(before: Dropped, segments: readonly Segment[]): Dropped {
  return {
    segments: before.segments + segments.length,
    deliveries: segments.reduce((sum, { deliveries }) => sum + deliveries, before.deliveries),
    until: Math.max(before.until, ...segments.map(({ newest }) => newest)),
    last: Math.max(before.last, ...segments.map(({ end }) => end - 1)),
  };
}
