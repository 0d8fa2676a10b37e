// The index of a journal in memory: its segments, with a bit for each unfinished delivery. Bodies of a backlog stay on the disk.

import type { Attempt } from '../intake/delivery-journal.ts';
import { type History, nothingDropped } from './checkpoint.ts';
import { EarlierAttempts } from './earlier-attempts.ts';
import { Segment } from './segment.ts';

export interface Located {
  readonly sequence: number;
  readonly segment: Segment;
}

export class Contents {
  /** The full segments, oldest first. */
  sealed: readonly Segment[] = [];
  /** The segment that takes new deliveries. Number 0: none exists yet. */
  current: Segment;
  history: History = { lastReceived: undefined, dropped: nothingDropped };

  /** The attempts at unfinished deliveries. */
  attempts = new EarlierAttempts();

  constructor(current: Segment = new Segment({ number: 0, salt: 0, begun: 0, first: 1 })) {
    this.current = current;
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

  lastUnfinished(): number {
    return (
      this.current.lastUnfinished() ||
      (this.sealed.findLast(({ unfinished }) => unfinished > 0)?.lastUnfinished() ?? 0)
    );
  }

  oldestUnfinished(): number | undefined {
    return this.nextUnfinished(1)?.segment.oldestUnfinished();
  }
}
