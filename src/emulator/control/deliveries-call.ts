// The log of deliveries with every attempt, oldest first: of all, or of one webhook.

import type { ControlCall } from './control-call.ts';

export async function deliveriesCall({ service: { deliveries }, query }: ControlCall) {
  if (query.get('settled') === 'true') await deliveries.settled();
  const webhookId = query.get('webhookId');
  return {
    deliveries: deliveries.log.filter((one) => webhookId === undefined || one.webhookId === webhookId),
  };
}
