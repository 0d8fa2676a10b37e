// A webhook and a delivery for tests of a single step of delivering.

import type { Attempt, Delivery, StoredWebhook } from '#emulator/state/store.ts';

export function webhookOf(id: string, more: Partial<StoredWebhook> = {}): StoredWebhook {
  return {
    id,
    accountId: 'A',
    applicationId: 'P',
    authorId: 'U',
    hookUrl: 'https://hooks.example.com/',
    recursive: false,
    status: 'Active',
    ...more,
  };
}

export function deliveryOf(webhookId: string, key: string, attempts: Attempt[] = []): Delivery {
  return {
    webhookId,
    hookUrl: 'https://hooks.example.com/',
    eventType: 'TaskCreated',
    idempotencyKey: key,
    body: '[{}]',
    attempts,
    state: 'waiting',
  };
}
