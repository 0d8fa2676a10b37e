// One attempt at a delivery: the signed request, the receiver's response, and the verdict on it.

import type { EmulatorMode } from '../../contract/assumption.ts';
import { formatTimestamp } from '../../contract/date.ts';
import { classifyDeliveryResponse, deliveryHeaders } from '../../contract/delivery.ts';
import { sign } from '../../contract/signature.ts';
import type { Attempt, Delivery } from '../state/delivery.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredWebhook } from '../state/store.ts';
import type { SendToReceiver } from './send-to-receiver.ts';

/** Undefined if the emulator stopped meanwhile: that does not count, and the delivery is sent again after a restart. */
export async function attemptDelivery(
  sendToReceiver: SendToReceiver,
  { hookUrl, secret }: StoredWebhook,
  { idempotencyKey, body }: Delivery,
  now: number,
  mode: EmulatorMode,
): Promise<Attempt | undefined> {
  const headers: Record<string, string> = { [deliveryHeaders.idempotencyKey]: idempotencyKey };
  if (secret !== undefined) {
    headers[deliveryHeaders.signature] = sign(secret, body);
    // The service has been seen to send it with every delivery: a receiver must not take one for a handshake.
    if (mode !== 'bare') headers[deliveryHeaders.secret] = randomText(32);
  }
  const date = formatTimestamp(now);
  const response = await sendToReceiver(hookUrl, headers, body);
  if (!('fault' in response))
    return { date, result: response.status, verdict: classifyDeliveryResponse(response.status) };
  return response.fault === 'aborted' ? undefined : { date, result: response.fault, verdict: 'retry' };
}
