// The log of deliveries with every attempt, oldest first: of all, or of one webhook.

import { notFound } from '../refusal.ts';
import type { ControlCall } from './control-call.ts';

export async function deliveriesCall({ service: { deliveries, store }, query }: ControlCall) {
  if (query.get('settled') === 'true') await deliveries.settled();
  const webhookId = query.get('webhookId');
  if (webhookId === undefined) return { deliveries: deliveries.log };
  const found = deliveries.log.filter((one) => one.webhookId === webhookId);
  // One that was deleted is known as long as the log tells of it.
  if (found.length === 0 && !store.webhooks.has(webhookId)) throw notFound('Webhook', webhookId);
  return { deliveries: found };
}
