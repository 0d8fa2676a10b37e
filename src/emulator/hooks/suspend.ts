// What follows from a delivery that has failed for good: its webhook is suspended, and where the attempts ran out its
// author gets an e-mail.

import { randomUUID } from 'node:crypto';
import { timestamp } from '../../contract/date.ts';
import type { Service } from '../service.ts';
import type { StoredWebhook } from '../store.ts';
import type { Delivery } from './delivery.ts';

export function suspendFailed(
  service: Service,
  hook: StoredWebhook,
  delivery: Delivery,
  mail: boolean,
): void {
  const { store, deliveries, clock } = service;
  if (hook.status === 'Suspended') return;
  hook.status = 'Suspended';
  deliveries.drop(hook.id);
  if (mail) {
    const answers = delivery.attempts.map(({ answer }) => String(answer)).join(', ');
    const id = randomUUID();
    store.mails.set(id, {
      id,
      to: store.users.get(hook.authorId)?.email ?? '',
      subject: `The webhook ${hook.id} was suspended`,
      text: `${hook.hookUrl} did not accept ${delivery.eventType}: ${answers}. Nothing is sent to it until it is active again.`,
      date: timestamp(clock.now()),
    });
  }
  service.changed();
}
