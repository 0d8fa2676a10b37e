// Which old segments are dropped: whole ones, by age or to make room, and never one that holds a delivery that is not finished.

import type { Dropped } from './checkpoint.ts';
import type { Segment } from './segment.ts';

export interface Retention {
  /** The most that all segments may take. */
  readonly maxBytes: number;
  /** A segment is dropped once its newest delivery is older. */
  readonly keepDays: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A clock may be far ahead: a segment is too old only if it already was when the last segment was begun. */
export function trustedTime(now: number, begun: number): number {
  return Math.min(now, begun);
}

/** `undefined` if there is no room for `neededBytes` more, even when all that may go is dropped. */
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
