// What waits for the next write: the frames of deliveries, with the callers that wait for them, and the frames of notes.

import type { Appended } from '../delivery-journal.ts';
import type { ReceivedDelivery } from '../stored-delivery.ts';
import type { Fingerprint } from './delivery-frame.ts';
import { FrameBuffer } from './frame.ts';

export interface Waiter {
  readonly resolve: (appended: Appended) => void;
  readonly reject: (reason: unknown) => void;
}

export interface WaitingDelivery extends Waiter {
  readonly delivery: ReceivedDelivery;
  readonly fingerprint: Fingerprint | undefined;
  /** Callers that sent the same delivery while it waits. */
  duplicates?: Waiter[];
}

export class Batch {
  readonly deliveries = new FrameBuffer();
  readonly notes = new FrameBuffer();
  waiting: WaitingDelivery[] = [];

  get isEmpty(): boolean {
    return this.deliveries.length === 0 && this.notes.length === 0;
  }
  get bytes(): number {
    return this.deliveries.length + this.notes.length;
  }

  clear(): void {
    this.deliveries.clear();
    this.notes.clear();
    this.waiting = [];
  }
}
