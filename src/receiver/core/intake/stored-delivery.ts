// Declares a delivery as the receiver stores it: bytes and headers stay unchanged, so that the user's program can check the signature
// itself, and a replay sends exactly what the service sent.

import type { DeliveredEvents } from './read-events.ts';

/** Headers in their original order and spelling. A name may occur twice. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** Names each receiver and sink that has forwarded the delivery, so that each recognises a delivery that comes back. */
export const loopHeader = 'x-wm-loop';

/** A delivery that the receiver has accepted but not yet stored. */
export interface ReceivedDelivery {
  /** Milliseconds since 1970-01-01T00:00:00Z, by this machine's clock. Never used for ordering, because clocks can be set back. */
  readonly receivedAt: number;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The value of the header. A delivery without it is never a duplicate. */
  readonly idempotencyKey: string | undefined;
  /** `unsigned`: accepted without a check, with `--unsigned`. */
  readonly signature: 'valid' | 'unsigned';
}

export interface StoredDelivery extends ReceivedDelivery {
  /** The number that users see: from 1, in stored order. */
  readonly sequence: number;
  /** The events of a long body, cached by `eventsOf`. */
  events?: DeliveredEvents;
}
