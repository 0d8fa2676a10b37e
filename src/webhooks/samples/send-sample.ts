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

const maxBytes = 1024 * 1024;

export async function sendSample(
  { http, clock }: Pick<World, 'http' | 'clock'>,
  { url, secret, idempotencyKey, body }: Sample,
  timeoutMs: number,
): Promise<SampleResult & { readonly rejection: string | undefined }> {
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'wm',
    [deliveryHeaders.idempotencyKey]: idempotencyKey,
    ...(secret === undefined ? {} : { [deliveryHeaders.signature]: sign(secret, body) }),
  };
  const started = clock.monotonic();
  const response = await http.send({ method: 'POST', url, headers, body }, { timeoutMs, maxBytes });
  const milliseconds = Math.round(clock.monotonic() - started);
  if ('fault' in response)
    return {
      result: response.fault,
      milliseconds,
      verdict: 'retry',
      detail: `no usable response: ${response.detail}`,
      rejection: undefined,
    };
  const { status } = response;
  const text = new TextDecoder().decode(response.body.subarray(0, 1024)).trim();
  const location = status >= 300 && status < 400 ? response.headers['location'] : undefined;
  const rejection = response.headers[rejectionHeader.toLowerCase()];
  const detail = [
    `the receiver responded with ${status}`,
    ...(rejection === undefined ? [] : [formatValue(rejection)]),
    ...(location === undefined ? [] : [`a redirect to ${formatValue(location)}, which is not followed`]),
    ...(text === '' || location !== undefined ? [] : [formatValue(text)]),
  ].join(': ');
  return {
    result: String(status),
    milliseconds,
    verdict: classifyDeliveryResponse(status),
    detail,
    rejection,
  };
}

export const consequences: Readonly<Record<DeliveryVerdict, string>> = {
  delivered: 'the service would count it as delivered',
  retry: `the service would send it up to ${limit.deliveryAttempts} times in all, then suspend the webhook`,
  suspend: 'the service would suspend the webhook at once',
};
