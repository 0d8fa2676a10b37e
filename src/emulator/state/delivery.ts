// The delivery of one event to one webhook, with every attempt, as the store and the log hold it.

import type { DeliveryVerdict } from '#contract/delivery.ts';

export interface Attempt {
  readonly date: string;
  /** The status of the response, or the fault if there was none. */
  readonly result: number | string;
  readonly verdict: DeliveryVerdict;
}

export interface Delivery {
  readonly webhookId: string;
  readonly hookUrl: string;
  readonly eventType: string;
  readonly idempotencyKey: string;
  readonly body: string;
  readonly attempts: Attempt[];
  /** `dropped`: its webhook was suspended or deleted before it could be sent. */
  state: 'waiting' | 'delivered' | 'failed' | 'dropped';
}

/**
 * The contract promises neither a single delivery of an event nor a body that is a list. In turn: each delivery a second time with
 * the same key, the event without the list around it, and a later event with an earlier date.
 */
export const deliveryVariants = ['duplicate', 'single-object', 'out-of-order'] as const;

/** How an event is delivered, in ways that a receiver must survive. */
export type DeliveryVariant = (typeof deliveryVariants)[number];
