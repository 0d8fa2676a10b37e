// Sends a handshake or a delivery to a receiver, or to the address that `connectTo` has for its host; never to an address that a hookUrl may not
// have, whatever its name resolves to. Redirects are not followed.

import { hostWithoutBrackets, isGlobalAddress, isLoopback } from '#contract/hook-url.ts';
import type { HttpFault, HttpResponse, World } from '#world/world.ts';

export type SendToReceiver = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<HttpResponse | HttpFault>;

export interface ConnectTo {
  readonly host: string;
  /** Requests for `host` go here. */
  readonly address: string;
  readonly port: number;
}

export interface SendToReceiverOptions {
  readonly connectTo: readonly ConnectTo[];
  readonly allowLocalHooks: boolean;
  readonly deliveryTimeoutMs: number;
}

/** Only the status and the headers of a response matter. */
const maxResponseBytes = 1_048_576;

/** `signal` aborts the requests in flight when the emulator stops. */
export function createSendToReceiver(
  { http }: Pick<World, 'http'>,
  { connectTo, allowLocalHooks, deliveryTimeoutMs }: SendToReceiverOptions,
  signal: AbortSignal,
): SendToReceiver {
  // One listener for all requests in flight: Node warns of a leak where a signal has one for each.
  const inFlight = new Set<AbortController>();
  signal.addEventListener('abort', () => {
    for (const one of inFlight) one.abort();
  });
  return async (hookUrl, headers, body) => {
    const stop = new AbortController();
    if (signal.aborted) stop.abort();
    inFlight.add(stop);
    const url = new URL(hookUrl);
    url.hash = '';
    const host = hostWithoutBrackets(url);
    const redirected = connectTo.find((one) => one.host.toLowerCase() === host);
    const limits = { timeoutMs: deliveryTimeoutMs, maxBytes: maxResponseBytes, signal: stop.signal };
    const sent = http.send(
      {
        method: 'POST',
        url: url.href,
        headers: { 'Content-Type': 'application/json', 'User-Agent': 'wm-emulator', ...headers },
        body,
      },
      redirected
        ? { ...limits, connectTo: { host: redirected.address, port: redirected.port } }
        : {
            ...limits,
            // Only a written-out loopback address is exempt, not a name that resolves to one.
            allowAddress: (address) =>
              isGlobalAddress(address) || (allowLocalHooks && isLoopback(host) && isLoopback(address)),
          },
    );
    try {
      return await sent;
    } finally {
      inFlight.delete(stop);
    }
  };
}
