// One event on its way to one webhook, with every attempt. Sending it is deliveries.ts.

import type { DeliveryVerdict } from '../../contract/delivery.ts';

export interface Attempt {
  readonly date: string;
  /** What came back: a status, or why nothing came. */
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
