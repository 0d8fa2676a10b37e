// Records sign-ins and changes of webhooks in the audit log, which keeps the latest entries. Its shape is assumed.

import { randomUUID } from 'node:crypto';
import { requireEntry } from '../state/require-entry.ts';
import type { Service } from './service.ts';

const maxEntries = 1_000;

export function recordAudit(
  { store, clock }: Pick<Service, 'store' | 'clock'>,
  userId: string,
  operation: string,
  objectType: string,
  objectId: string,
): void {
  const user = requireEntry(store.users, userId);
  const id = randomUUID();
  store.audit.set(id, {
    id,
    accountId: user.accountId,
    operation,
    userId,
    userEmail: user.email,
    eventDate: clock.timestamp(),
    objectType,
    objectId,
  });
  for (const oldest of store.audit.keys()) {
    if (store.audit.size <= maxEntries) break;
    store.audit.delete(oldest);
  }
}
