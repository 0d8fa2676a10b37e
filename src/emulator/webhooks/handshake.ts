// The secure handshake: before a webhook with a secret is created, its receiver proves that it knows the secret.

import {
  classifyDeliveryResponse,
  deliveryHeaders,
  handshakeField,
  handshakeText,
} from '../../contract/delivery.ts';
import { sign, verify } from '../../contract/signature.ts';
import { randomText } from '../state/random-text.ts';
import type { SendToReceiver } from './send-to-receiver.ts';

/** Why it failed; undefined if it succeeded. */
export async function handshake(
  sendToReceiver: SendToReceiver,
  hookUrl: string,
  secret: string,
): Promise<string | undefined> {
  const body = JSON.stringify({ [handshakeField]: handshakeText });
  const challenge = randomText(32);
  const response = await sendToReceiver(
    hookUrl,
    { [deliveryHeaders.secret]: challenge, [deliveryHeaders.signature]: sign(secret, body) },
    body,
  );
  if ('fault' in response) return `the receiver could not be reached (${response.fault})`;
  if (classifyDeliveryResponse(response.status) !== 'delivered')
    return `the receiver responded with ${response.status}`;
  const proof = response.headers[deliveryHeaders.secret.toLowerCase()];
  if (proof === undefined) return `the receiver's response has no ${deliveryHeaders.secret}`;
  return verify(secret, challenge, proof) ? undefined : `the receiver's ${deliveryHeaders.secret} is wrong`;
}
