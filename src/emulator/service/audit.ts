// Records sign-ins and changes of webhooks in the audit log, which keeps the latest entries. Its shape is assumed.

import { randomUuid } from '#random-values.ts';
import { requireEntry } from '../state/access.ts';
import type { Service } from './service.ts';

const maxEntries = 1_000;

export function recordAudit(
  service: Pick<Service, 'store' | 'clock' | 'randomBytes'>,
  userId: string,
  operation: string,
  objectType: string,
  objectId: string,
  objectName: string,
): void {
  const { store, clock } = service;
  const user = requireEntry(store.users, userId);
  const id = randomUuid(service);
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
