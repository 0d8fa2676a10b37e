// Describes a segment without reading it: the deliveries that it holds, with a bit for each that is unfinished.

import type { SequenceRange } from '../intake/delivery-journal.ts';

export class Segment {
  /** The number in the file name. */
  readonly number: number;
  readonly salt: number;
  /** When the segment was begun, in milliseconds since 1970. */
  readonly begun: number;
  /** The sequence number of the first delivery, or the next one if the segment is empty. */
  readonly first: number;
  /** The sequence number after the last delivery. */
  end: number;
  /** The size of the file. */
  bytes = 0;
  /** When the newest delivery was received, or the segment was begun if that is later. */
  newest: number;
  deliveries = 0;
  unfinished = 0;
  /** When the oldest unfinished delivery was received, according to the checkpoint. */
  oldest = 0;
  /** A bit for each sequence number from `first` on: set while unfinished. Empty if all are finished. */
  #bits = new Uint8Array(0);
  /** When each delivery was received, from `#timesFrom` on. */
  #times: number[] = [];
  #timesFrom: number;

  constructor({ number, salt, begun, first }: Pick<Segment, 'number' | 'salt' | 'begun' | 'first'>) {
    this.number = number;
    this.salt = salt;
    this.begun = begun;
    this.first = first;
    this.end = first;
    this.newest = begun;
    this.#timesFrom = first;
  }

  /** Adds an unfinished delivery. */
  add(sequence: number, receivedAt: number): void {
    const index = sequence - this.first;
    if (index >> 3 >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(64, 2 * this.#bits.length, (index >> 3) + 1));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[index >> 3] = (this.#bits[index >> 3] ?? 0) | (1 << (index & 7));
    if (this.unfinished === 0) {
      this.#times = [];
      this.#timesFrom = sequence;
    }
    this.#times[sequence - this.#timesFrom] = receivedAt;
    this.end = Math.max(this.end, sequence + 1);
    this.newest = Math.max(this.newest, receivedAt);
    this.deliveries += 1;
    this.unfinished += 1;
  }

  finish(sequence: number): void {
    if (!this.isUnfinished(sequence)) return;
    const index = sequence - this.first;
    this.#bits[index >> 3] = (this.#bits[index >> 3] ?? 0) & ~(1 << (index & 7));
    this.unfinished -= 1;
  }

  isUnfinished(sequence: number): boolean {
    const index = sequence - this.first;
    return index >= 0 && ((this.#bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
  }

  nextUnfinished(from: number): number | undefined {
    if (this.unfinished === 0) return undefined;
    for (let index = Math.max(0, from - this.first); index < this.end - this.first; ) {
      const byte = this.#bits[index >> 3] ?? 0;
      if (byte >> (index & 7) === 0) index = (index | 7) + 1;
      else if ((byte & (1 << (index & 7))) !== 0) return this.first + index;
      else index += 1;
    }
    return undefined;
  }

  oldestUnfinished(): number | undefined {
    const sequence = this.nextUnfinished(this.first);
    if (sequence === undefined) return undefined;
    return this.#times[sequence - this.#timesFrom] ?? this.oldest;
  }

  /** The bits for a checkpoint; empty if all deliveries are finished. */
  unfinishedBits(): Uint8Array {
    return this.unfinished === 0
      ? new Uint8Array(0)
      : this.#bits.subarray(0, (this.end - this.first + 7) >> 3);
  }

  /** Takes over the bits of a checkpoint. */
  restore(bits: Uint8Array): void {
    this.#bits = Uint8Array.from(bits);
  }
}

/** Completes a sentence about a segment that another program has changed; empty if it held no delivery. */
export function describeLost({ from, to }: SequenceRange): string {
  if (to < from) return '';
  const which = from === to ? `delivery #${from}, which was` : `deliveries #${from} to #${to}, which were`;
  return `; ${which} stored in it, may be lost`;
}
