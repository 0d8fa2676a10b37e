// Sends a handshake or a delivery to a receiver, or to the address that `connectTo` has for its host. Never sends to an address that
// a hookUrl may not have, even if a name resolves to it. Does not follow redirects.

import { hostWithoutBrackets, isGlobalAddress, isLoopback } from '#contract/hook-url.ts';
import type { HttpFault, HttpResponse, World } from '#world/world.ts';
import { sample } from '../state/sample-ids.ts';

export type SendToReceiver = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<HttpResponse | HttpFault>;

/** Sends requests for `host` to this address and port. */
export interface ConnectTo {
  readonly host: string;
  readonly address: string;
  readonly port: number;
}

interface SendToReceiverOptions {
  readonly connectTo: readonly ConnectTo[];
  readonly allowLocalHooks: boolean;
  readonly deliveryTimeoutMs: number;
}

const accepted = Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() });

/** `signal` aborts the requests in flight when the emulator stops. */
export function createSendToReceiver(
  { http }: Pick<World, 'http'>,
  { connectTo, allowLocalHooks, deliveryTimeoutMs }: SendToReceiverOptions,
  signal: AbortSignal,
): SendToReceiver {
  return (hookUrl, headers, body) => {
    const url = new URL(hookUrl);
    url.hash = '';
    const host = hostWithoutBrackets(url);
    const route = connectTo.find((candidate) => candidate.host.toLowerCase() === host);
    // The receiver of the sample does not exist. A trial sends nothing to the network.
    if (!route && host === sample.receiver) return accepted;
    // Only a written-out loopback address is exempt, not a name that resolves to one.
    const allowAddress = (address: string) =>
      isGlobalAddress(address) || (allowLocalHooks && isLoopback(host) && isLoopback(address));
    const request = {
      method: 'POST',
      url: url.href,
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'wm-emulator', ...headers },
      body,
    } as const;
    return http.send(request, {
      timeoutMs: deliveryTimeoutMs,
      // Only the status and the headers of the response are used.
      maxBytes: 1_048_576,
      signal,
      ...(route ? { connectTo: { host: route.address, port: route.port } } : { allowAddress }),
    });
  };
}
