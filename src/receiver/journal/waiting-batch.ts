// What waits for the next write: the frames of deliveries, with the callers that wait for them, and the frames of notes.

import type { Appended } from '../intake/delivery-journal.ts';
import type { ReceivedDelivery } from '../intake/stored-delivery.ts';
import { FrameBuffer } from './frame.ts';
import { KeyTable } from './key-table.ts';

export interface Waiter {
  readonly resolve: (appended: Appended) => void;
  readonly reject: (reason: unknown) => void;
}

export interface WaitingDelivery extends Waiter {
  readonly delivery: ReceivedDelivery;
  /** Where in the frames its fingerprint begins; `undefined` if it has no key. */
  readonly fingerprint: number | undefined;
  /** Callers that sent the same delivery while it waits. */
  duplicates?: Waiter[];
}

/** A table that has grown beyond this is not kept. */
const mostTableBytes = 1024 * 1024;

export class Batch {
  readonly deliveries = new FrameBuffer();
  readonly notes = new FrameBuffer();
  #waiting: WaitingDelivery[] = [];
  /** Where in `waiting` each fingerprint is. No Map: see receiver/intake/storing-limit.ts. */
  #places = new KeyTable(0);

  get isEmpty(): boolean {
    return this.deliveries.length === 0 && this.notes.length === 0;
  }
  get bytes(): number {
    return this.deliveries.length + this.notes.length;
  }
  get waiting(): readonly WaitingDelivery[] {
    return this.#waiting;
  }

  /** Its frame is the last one in `deliveries`. */
  add(waiter: WaitingDelivery): void {
    if (waiter.fingerprint !== undefined)
      this.#places.add(this.deliveries.bytes, waiter.fingerprint, this.#waiting.length, 0);
    this.#waiting.push(waiter);
  }

  /** The one with the fingerprint that begins there. */
  find(bytes: Buffer, fingerprint: number): WaitingDelivery | undefined {
    const place = this.#places.findAt(bytes, fingerprint);
    return place === undefined ? undefined : this.#waiting[place];
  }

  /** Nobody waits any more. */
  takeWaiting(): readonly WaitingDelivery[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (this.#places.bytes > mostTableBytes) this.#places = new KeyTable(0);
    else this.#places.clear();
    return waiting;
  }

  clear(): void {
    this.deliveries.clear();
    this.notes.clear();
  }
}
