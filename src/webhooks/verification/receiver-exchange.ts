// Sends requests to a receiver as the service would, and times the responses. A response is hostile input: wm reads little of
// it, and quotes it.

import { deliveryHeaders, rejectionHeader } from '#contract/delivery.ts';
import { sign, verify } from '#contract/signature.ts';
import { randomUuid } from '#random-values.ts';
import type { HttpFault, HttpOptions, HttpRequest, HttpResponse, World } from '#world/world.ts';

export interface Reply {
  readonly result: HttpResponse | HttpFault;
  readonly ms: number;
  readonly limitMs: number;
  /** True if the response to a delivery proves its challenge, as if it were a handshake. */
  readonly isProof?: boolean;
}

export type Receiver = ReturnType<typeof createReceiver>;

export interface ReceiverOptions extends Pick<HttpOptions, 'timeoutMs' | 'connectTo' | 'allowAddress'> {
  readonly url: string;
  readonly secret: string | undefined;
  /** How often a request is sent again that gets a 5xx: the next response may be another. */
  readonly repeats?: number;
}

const maxBytes = 1024 * 1024;

export function createReceiver(
  { http, clock, randomBytes }: Pick<World, 'http' | 'clock' | 'randomBytes'>,
  { url, secret, timeoutMs, repeats = 0, ...options }: ReceiverOptions,
) {
  const replies: Reply[] = [];
  const flaps: Reply[] = [];
  const sendOnce = async (body: string, headers: Readonly<Record<string, string>>): Promise<Reply> => {
    const request: HttpRequest = {
      method: 'POST',
      url,
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'wm-webhook-verify', ...headers },
      body,
    };
    const started = clock.monotonic();
    const result = await http.send(request, { ...options, timeoutMs, maxBytes });
    const reply = { result, ms: Math.round(clock.monotonic() - started), limitMs: timeoutMs };
    replies.push(reply);
    return reply;
  };
  /** Together, the repeats may take as long as one response. */
  let repeatMs = 0;
  const send: typeof sendOnce = async (body, headers) => {
    let reply = await sendOnce(body, headers);
    let last = reply;
    for (let count = 0; passingStatus(last) && count < repeats && repeatMs < timeoutMs; count++) {
      const again = await sendOnce(body, headers);
      repeatMs += again.ms;
      if ('fault' in again.result) break;
      if (!passingStatus(again)) flaps.push(reply);
      // Of three 5xx, the one that came twice.
      if (!passingStatus(again) || passingStatus(again) === passingStatus(last)) reply = again;
      last = again;
    }
    return reply;
  };
  return {
    send,
    /** Sends a delivery with a challenge, as the service sometimes does; signed if there is a secret. `key`: of a repeated event. */
    async deliver(body: string, key: string = randomUuid({ randomBytes })): Promise<Reply> {
      const challenge = randomBytes(16).toString('hex');
      const reply = await send(body, {
        [deliveryHeaders.idempotencyKey]: key,
        [deliveryHeaders.secret]: challenge,
        ...(secret === undefined ? {} : { [deliveryHeaders.signature]: sign(secret, body) }),
      });
      const proof = headerOf(reply, deliveryHeaders.secret) ?? '';
      return { ...reply, isProof: secret !== undefined && verify(secret, challenge, proof) };
    },
    randomBytes,
    replies,
    /** The responses that equal requests did not get again: the content is not their cause. */
    flaps,
    limitMs: timeoutMs,
  };
}

/** A 5xx that may pass by itself. */
export function passingStatus(reply: Reply): number | undefined {
  const { status = 0 } = 'fault' in reply.result ? {} : reply.result;
  const reason = headerOf(reply, rejectionHeader) ?? 'failed';
  return status >= 500 && ['failed', 'busy', 'not-stored'].includes(reason) ? status : undefined;
}

export function headerOf({ result }: Reply, name: string): string | undefined {
  return 'fault' in result ? undefined : result.headers[name.toLowerCase()];
}

const excerptBytes = 2048;

export function textOf({ result }: Reply): string {
  return 'fault' in result ? '' : new TextDecoder().decode(result.body.subarray(0, excerptBytes));
}

/** Compares the status and the start of the body. */
export function isSameReply(a: Reply, b: Reply): boolean {
  if ('fault' in a.result || 'fault' in b.result) return false;
  return a.result.status === b.result.status && textOf(a) === textOf(b);
}
