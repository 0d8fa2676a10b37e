// The format of a delivery, and what each status of the response means.

import { limit } from './limit.ts';

export const deliveryHeaders = {
  /** HMAC of the body. */
  signature: 'X-Hook-Signature',
  /** The challenge of a handshake; in the response, its HMAC. */
  secret: 'X-Hook-Secret',
  /** Identifies the event; the same on every attempt. The signature does not cover it. */
  idempotencyKey: 'Idempotency-Key',
} as const;

/** Tells other commands why wm's receiver rejects a request. Always a fixed code, since strangers can read it. */
export const rejectionHeader = 'X-Wm-Rejected';
/** The only member of a handshake's body, and its usual value. */
export const handshakeField = 'requestType';
export const handshakeText = 'WebHook secret verification';
export const successStatuses: readonly number[] = [200, 201, 202, 204];
export const retriedClientErrors: readonly number[] = [408, 429];

export type DeliveryVerdict = 'delivered' | 'retry' | 'suspend';

/** What the status of a response means for a delivery. A redirect is retried, not followed. Contract: Delivery 5, 6. */
export function classifyDeliveryResponse(status: number): DeliveryVerdict {
  if (successStatuses.includes(status)) return 'delivered';
  if (status >= 400 && status < 500 && !retriedClientErrors.includes(status)) return 'suspend';
  return 'retry';
}

export const maxDeliveryAttempts = limit.deliveryAttempts;

/** The address ranges of deliveries, by data centre. Contract: Delivery 8. */
export const senderAddresses = {
  US: ['160.19.162.0/23', '34.73.3.211/32'],
  US2: ['35.196.104.95/32', '34.72.158.28/32'],
  EU: ['185.157.64.0/22', '146.148.2.222/32'],
} as const;

export type DataCentre = keyof typeof senderAddresses;
