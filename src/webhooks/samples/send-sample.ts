// Sends one delivery as the service would, and says what the service would do after the response. The response is hostile
// text: wm reads little of it, and quotes it.

import {
  classifyDeliveryResponse,
  type DeliveryVerdict,
  deliveryHeaders,
  rejectionHeader,
} from '#contract/delivery.ts';
import { limit } from '#contract/limit.ts';
import { formatValue } from '#contract/schema.ts';
import { sign } from '#contract/signature.ts';
import type { World } from '#world/world.ts';
import { createReceiver, headerOf, textOf } from '../verification/receiver-exchange.ts';

export interface Sample {
  readonly url: string;
  readonly secret: string | undefined;
  readonly idempotencyKey: string;
  readonly body: string;
}

export interface SampleResult {
  readonly result: string;
  readonly milliseconds: number;
  readonly verdict: DeliveryVerdict;
  readonly detail: string;
}

export async function sendSample(
  world: Pick<World, 'http' | 'clock'>,
  { url, secret, idempotencyKey, body }: Sample,
  timeoutMs: number,
): Promise<SampleResult & { readonly rejection: string | undefined }> {
  const headers = {
    'User-Agent': 'wm',
    [deliveryHeaders.idempotencyKey]: idempotencyKey,
    ...(secret === undefined ? {} : { [deliveryHeaders.signature]: sign(secret, body) }),
  };
  const reply = await createReceiver(world, { url, secret, timeoutMs }).send(body, headers);
  const { result, ms: milliseconds } = reply;
  if ('fault' in result) {
    const detail = `no usable response: ${result.detail}`;
    return { result: result.fault, milliseconds, verdict: 'retry', detail, rejection: undefined };
  }
  const { status } = result;
  const text = textOf(reply).trim();
  const location = status >= 300 && status < 400 ? headerOf(reply, 'location') : undefined;
  const rejection = headerOf(reply, rejectionHeader);
  const detail = [
    `the receiver responded with ${status}`,
    ...(rejection === undefined ? [] : [formatValue(rejection)]),
    ...(location === undefined ? [] : [`a redirect to ${formatValue(location)}, which is not followed`]),
    ...(text === '' || location !== undefined ? [] : [formatValue(text)]),
  ].join(': ');
  const verdict = classifyDeliveryResponse(status);
  return { result: String(status), milliseconds, verdict, detail, rejection };
}

export const consequences: Readonly<Record<DeliveryVerdict, string>> = {
  delivered: 'the service would count it as delivered',
  retry: `the service would send it up to ${limit.deliveryAttempts} times in all, then suspend the webhook`,
  suspend: 'the service would suspend the webhook at once',
};
