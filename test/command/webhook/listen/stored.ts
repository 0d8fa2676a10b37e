// A stored delivery for tests of what is shown of one.

import type { StoredDelivery } from '../../../../src/receiver/stored-delivery.ts';
import { noon } from '../../../clock.ts';

/** The body as it is, or as JSON. */
export function stored(body: unknown, more: Partial<StoredDelivery> = {}): StoredDelivery {
  return {
    sequence: 1,
    receivedAt: noon,
    path: '/',
    headers: [
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', 'key-1'],
    ],
    body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
    idempotencyKey: 'key-1',
    signature: 'valid',
    ...more,
  };
}
