// The log of deliveries with every attempt, oldest first: of all webhooks or of one.

import { notFound } from '../http/error-response.ts';
import type { ControlRequest } from './control-request.ts';

export async function deliveriesEndpoint({ service: { deliveries, store }, query }: ControlRequest) {
  if (query.get('settled') === 'true') await deliveries.whenIdle();
  const webhookId = query.get('webhookId');
  if (webhookId === undefined) return { deliveries: deliveries.log };
  const found = deliveries.log.filter((one) => one.webhookId === webhookId);
  // A deleted webhook is known as long as the log has a delivery to it.
  if (found.length === 0 && !store.webhooks.has(webhookId)) throw notFound('Webhook', webhookId, 'emulator');
  return { deliveries: found };
}
