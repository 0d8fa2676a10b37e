// What follows from a delivery that has failed for good: its webhook is suspended, and where the attempts ran out its
// author gets an e-mail.

import { randomUUID } from 'node:crypto';
import { formatTimestamp } from '../../contract/date.ts';
import type { Service } from '../service/service.ts';
import type { Delivery } from '../state/delivery.ts';
import type { StoredWebhook } from '../state/store.ts';

export function suspendAfterFailure(
  service: Service,
  webhook: StoredWebhook,
  delivery: Delivery,
  mail: boolean,
): void {
  const { store, deliveries, clock } = service;
  if (webhook.status === 'Suspended') return;
  webhook.status = 'Suspended';
  deliveries.drop(webhook.id);
  if (mail) {
    const answers = delivery.attempts.map(({ result }) => String(result)).join(', ');
    const id = randomUUID();
    store.mails.set(id, {
      id,
      to: store.users.get(webhook.authorId)?.email ?? '',
      subject: `The webhook ${webhook.id} was suspended`,
      text: `${webhook.hookUrl} did not accept ${delivery.eventType}: ${answers}. Nothing is sent to it until it is active again.`,
      date: formatTimestamp(clock.now()),
    });
  }
  service.scheduleSave();
}
