// The index of a journal in memory: its segments, with a bit for each unfinished delivery. Bodies of a backlog stay on the disk.

import type { Attempt } from '../intake/delivery-journal.ts';
import { EarlierAttempts } from './earlier-attempts.ts';
import { Segment } from './segment.ts';

/** Old segments that were dropped, by age or size. */
export interface Dropped {
  readonly segments: number;
  readonly deliveries: number;
  /** When the newest dropped delivery was received, in milliseconds since 1970; 0 if none was dropped. */
  readonly until: number;
  /** The highest sequence number that was dropped. */
  readonly last: number;
}

export interface Located {
  readonly sequence: number;
  readonly segment: Segment;
}

export class Contents {
  /** The full segments, oldest first. */
  sealed: readonly Segment[];
  /** The segment that takes new deliveries. Number 0: none exists yet. */
  current: Segment;
  /** When the last delivery was received, in milliseconds since 1970. */
  lastReceived: number | undefined;
  dropped: Dropped = { segments: 0, deliveries: 0, until: 0, last: 0 };
  /** The attempts at unfinished deliveries. */
  attempts = new EarlierAttempts();

  constructor(
    current: Segment = new Segment({ number: 0, salt: 0, begun: 0, first: 1 }),
    sealed: readonly Segment[] = [],
  ) {
    this.current = current;
    this.sealed = sealed;
  }

  get segments(): readonly Segment[] {
    return this.current.number === 0 ? this.sealed : [...this.sealed, this.current];
  }
  get unfinished(): number {
    return this.sealed.reduce((sum, { unfinished }) => sum + unfinished, this.current.unfinished);
  }
  get bytes(): number {
    return this.sealed.reduce((sum, { bytes }) => sum + bytes, this.current.bytes);
  }

  segmentOf(sequence: number): Segment | undefined {
    if (sequence >= this.current.first) return sequence < this.current.end ? this.current : undefined;
    return this.sealed.findLast(({ first, end }) => first <= sequence && sequence < end);
  }

  finish(sequence: number): void {
    this.segmentOf(sequence)?.finish(sequence);
    this.attempts.forget(sequence);
  }

  addAttempt(attempt: Attempt): void {
    if (attempt.finishes) this.finish(attempt.sequence);
    else if (this.segmentOf(attempt.sequence)?.isUnfinished(attempt.sequence)) this.attempts.add(attempt);
  }

  /** The first unfinished delivery with this number or a higher one. */
  nextUnfinished(from: number): Located | undefined {
    for (const segment of this.sealed) {
      const sequence = segment.end > from ? segment.nextUnfinished(from) : undefined;
      if (sequence !== undefined) return { sequence, segment };
    }
    const sequence = this.current.nextUnfinished(from);
    return sequence === undefined ? undefined : { sequence, segment: this.current };
  }

  oldestUnfinished(): number | undefined {
    return this.nextUnfinished(1)?.segment.oldestUnfinished();
  }
}
