// Suspends a webhook after its delivery has failed for good, and e-mails its author if all attempts were used.

import { randomUUID } from 'node:crypto';
import type { EmulatorClock } from '../state/clock.ts';
import type { Delivery } from '../state/delivery.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredWebhook } from '../state/store.ts';
import type { Deliveries } from './deliveries.ts';

interface SuspensionContext {
  readonly store: Store;
  readonly clock: Pick<EmulatorClock, 'timestamp'>;
  readonly deliveries: Pick<Deliveries, 'drop'>;
  readonly scheduleSave: () => void;
}

export function suspendAfterFailure(
  { store, clock, deliveries, scheduleSave }: SuspensionContext,
  webhook: StoredWebhook,
  delivery: Delivery,
  sendsMail: boolean,
): void {
  webhook.status = 'Suspended';
  deliveries.drop(webhook.id);
  if (sendsMail) {
    const results = delivery.attempts.map(({ result }) => String(result).replaceAll('-', ' ')).join(', ');
    const id = randomUUID();
    store.mails.set(id, {
      id,
      to: requireEntry(store.users, webhook.authorId).email,
      subject: `The webhook ${webhook.id} was suspended`,
      text: `${webhook.hookUrl} did not accept ${delivery.eventType}: ${results}. It receives nothing until it is active again.`,
      date: clock.timestamp(),
    });
  }
  scheduleSave();
}
