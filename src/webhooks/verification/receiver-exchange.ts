// Sends requests to a receiver as the service would, and times the responses. A response is hostile input: wm reads little of
// it, and quotes it.

import { randomBytes, randomUUID } from 'node:crypto';
import { deliveryHeaders } from '#contract/delivery.ts';
import { sign, verify } from '#contract/signature.ts';
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
}

const maxBytes = 1024 * 1024;

export function createReceiver(
  { http, clock }: Pick<World, 'http' | 'clock'>,
  { url, secret, timeoutMs, ...options }: ReceiverOptions,
) {
  const replies: Reply[] = [];
  const send = async (body: string, headers: Readonly<Record<string, string>>): Promise<Reply> => {
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
  return {
    send,
    /** Sends a delivery with a challenge, as the service sometimes does; signed if there is a secret. `key`: of a repeated event. */
    async deliver(body: string, key: string = randomUUID()): Promise<Reply> {
      const challenge = randomBytes(16).toString('hex');
      const reply = await send(body, {
        [deliveryHeaders.idempotencyKey]: key,
        [deliveryHeaders.secret]: challenge,
        ...(secret === undefined ? {} : { [deliveryHeaders.signature]: sign(secret, body) }),
      });
      const proof = headerOf(reply, deliveryHeaders.secret) ?? '';
      return { ...reply, isProof: secret !== undefined && verify(secret, challenge, proof) };
    },
    replies,
    limitMs: timeoutMs,
  };
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
