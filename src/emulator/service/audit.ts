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
  objectName: string,
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
    // The emulator serves its own machine.
    ipAddress: '127.0.0.1',
    objectType,
    objectName,
    objectId,
    details: {},
  });
  for (const oldest of store.audit.keys()) {
    if (store.audit.size <= maxEntries) break;
    store.audit.delete(oldest);
  }
}
