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
