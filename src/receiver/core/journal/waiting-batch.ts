// Collects what the next write stores: the frames of deliveries, with their waiting callers, and the frames of notes.

import type { Appended, ReceivedDelivery } from '../intake/delivery-journal.ts';
import { FrameBuffer } from './frame.ts';
import { KeyTable } from './key-table.ts';

interface Waiter {
  readonly resolve: (appended: Appended) => void;
  readonly reject: (reason: unknown) => void;
}

interface WaitingDelivery extends Waiter {
  readonly delivery: ReceivedDelivery;
  /** The position of its fingerprint in the frames; `undefined` without a key. */
  readonly fingerprint: number | undefined;
  /** Callers that sent the same delivery while it waited. */
  duplicates?: Waiter[];
}

/** A larger table is not reused. */
const maxTableBytes = 1024 * 1024;

export class Batch {
  readonly deliveries = new FrameBuffer();
  readonly notes = new FrameBuffer();
  waiting: WaitingDelivery[] = [];
  /** The index in `waiting` of each fingerprint. Not a Map, whose old tables keep bodies alive until a full garbage collection. */
  #indexes = new KeyTable(0);

  get bytes(): number {
    return this.deliveries.length + this.notes.length;
  }

  /** Adds the caller of the last frame in `deliveries`. */
  add(waiter: WaitingDelivery): void {
    if (waiter.fingerprint !== undefined)
      this.#indexes.add(this.deliveries.bytes, waiter.fingerprint, this.waiting.length, 0);
    this.waiting.push(waiter);
  }

  find(bytes: Buffer, fingerprint: number): WaitingDelivery | undefined {
    const index = this.#indexes.find(bytes, fingerprint);
    return index === undefined ? undefined : this.waiting[index];
  }

  takeWaiting(): readonly WaitingDelivery[] {
    const waiting = this.waiting;
    this.waiting = [];
    if (this.#indexes.bytes > maxTableBytes) this.#indexes = new KeyTable(0);
    else this.#indexes.clear();
    return waiting;
  }

  clear(): void {
    this.deliveries.clear();
    this.notes.clear();
  }
}
