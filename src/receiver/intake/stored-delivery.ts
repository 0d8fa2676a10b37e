// A delivery as the receiver stores it, with its bytes and headers unchanged, so that a program behind the receiver can check the
// signature itself, and a replay sends exactly what the service sent.

import type { DeliveredEvents } from './read-events.ts';

/** In their original order and spelling; a name may occur twice. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** What the receiver accepted, before it is stored. */
export interface ReceivedDelivery {
  /** Milliseconds since 1970-01-01T00:00:00Z, by this machine's clock. Never used for ordering, because clocks can be set back. */
  readonly receivedAt: number;
  /** The request target: path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The value of the header. `undefined` if it was missing: such a delivery is never a duplicate. */
  readonly idempotencyKey: string | undefined;
  /** `unsigned`: accepted without a check, since the user asked for that. */
  readonly signature: 'valid' | 'unsigned';
}

export interface StoredDelivery extends ReceivedDelivery {
  /** From 1, in the order in which deliveries were stored. Names the delivery to the user. */
  readonly sequence: number;
  /** Where `eventsOf` keeps what it has read of a long body. */
  events?: DeliveredEvents;
}
