// One POST to a receiver: to the address that its hookUrl means, or to where `connectTo` sends it; never to an address
// that a hookUrl may not have, whatever a name resolves to. A redirect is not followed.

import { hostWithoutBrackets, isGlobalAddress, isLoopback } from '../../contract/hook-url.ts';
import type { HttpFault, HttpResponse, World } from '../../world/world.ts';
import type { Settings } from '../service/settings.ts';

export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<HttpResponse | HttpFault>;

/** Nothing in the answer but its status and headers matters. */
const maxResponseBytes = 1_048_576;

/** `signal` gives up what is on its way when the emulator stops. */
export function createPost({ http }: Pick<World, 'http'>, settings: Settings, signal: AbortSignal): Post {
  const { connectTo, allowLocalHooks, deliveryTimeoutMs } = settings;
  // One listener for all that is on its way: a signal with one for each would be taken for a leak.
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
            // A name that happens to mean this machine is not exempt: only the address itself, written out, is.
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
