// The loopback redirect: a listener that waits for the one request with the right state. Every other request (a favicon,
// a port scanner, a wrong state, a wrong Host header) gets an error response and never ends the wait.

import { Failure } from '#failure.ts';
import type { ListenFault, Listening, ServerResponse, World } from '#world/world.ts';
import { type AuthorizationResponse, parseAuthorizationResponse } from './authorization-response.ts';
import { type CallbackPage, sendPage, sendText } from './callback-page.ts';
import { reservedPortsHint } from './reserved-ports.ts';

export type CallbackServer = Awaited<ReturnType<typeof createCallbackServer>>;

export interface CallbackAddress {
  /** 0 picks a free port. */
  readonly port: number;
  readonly path: string;
  /** As the redirect URI spells it: 127.0.0.1, localhost or [::1]. */
  readonly hostname: string;
  /** The numeric address to listen on; by default what `hostname` stands for. */
  readonly address?: string;
}

/** @see [RFC 8252 §7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3). Throws `other` if the port is not available. */
export async function createCallbackServer(
  world: Pick<World, 'server'>,
  address: CallbackAddress,
  state: string,
) {
  let waiting: ServerResponse | undefined;
  let onAuthorized: (response: AuthorizationResponse) => void = () => {};
  const authorized = new Promise<AuthorizationResponse>((resolve) => {
    onAuthorized = resolve;
  });
  let isDone = false;
  const listening = await listenOnAll(world, address, (request, response) => {
    const target = String(request.url);
    const url = URL.canParse(target, origin()) ? new URL(target, origin()) : undefined;
    const isOwnHost = request.headers.host === `${address.hostname}:${port()}`;
    if (!isOwnHost || url?.pathname !== address.path || request.method !== 'GET')
      return sendText(response, 404, 'Nothing here.');
    const authorization = parseAuthorizationResponse(url.searchParams, state);
    if (authorization === 'wrong state')
      return sendText(response, 400, 'This is not the sign-in that wm is waiting for.');
    if (authorization === 'no code') return sendText(response, 400, 'The redirect contains no code.');
    if (isDone) return sendText(response, 400, 'This sign-in is already complete.');
    isDone = true;
    waiting = response;
    // Free the port now: the exchange may take long, and needs no further request.
    stopAccepting();
    onAuthorized(authorization);
  });
  if ('fault' in listening)
    throw new Failure('other', {
      message: `Cannot listen on the callback port ${address.port}`,
      why: listening.detail,
      hint: `Free the port, or choose another: --port PORT, or --redirect-uri with a callback that is registered with the application.${reservedPortsHint(listening, address.port)}`,
    });
  const stopAccepting = () => listening.stopAccepting();
  const port = () => listening.port;
  const origin = () => `http://${address.hostname}:${port()}`;
  return {
    /** For the authorization request and the exchange, unless another URI is registered. */
    redirectUri: `${origin()}${address.path}`,
    /** The first response with the right state. The browser waits for its page until `respond` is called. */
    authorized,
    /** Shows the page to the browser, if one is waiting, and frees the port. */
    async respond(page: CallbackPage) {
      if (waiting) await sendPage(waiting, page);
      waiting = undefined;
      await listening.close();
    },
  };
}

/** localhost may be either address, and 0.0.0.0 does not cover ::1, where another program could listen (RFC 8252 §8.3). */
function listenAddresses({ hostname, address }: CallbackAddress): readonly [string, ...string[]] {
  if (address === '0.0.0.0' && hostname === 'localhost') return [address, '::1'];
  if (address !== undefined) return [address];
  return hostname === 'localhost' ? ['127.0.0.1', '::1'] : [hostname.replace(/^\[|\]$/g, '')];
}

/** Listens on all the addresses with one handler, at the port of the first. */
async function listenOnAll(
  { server }: Pick<World, 'server'>,
  address: CallbackAddress,
  handler: Parameters<World['server']['listen']>[1],
): Promise<Pick<Listening, 'port' | 'stopAccepting' | 'close'> | ListenFault> {
  const [firstHost, ...otherHosts] = listenAddresses(address);
  const first = await server.listen({ host: firstHost, port: address.port }, handler);
  if ('fault' in first) return first;
  const { port } = first;
  const servers: Listening[] = [first];
  const close = async () => void (await Promise.all(servers.map((listening) => listening.close())));
  for (const host of otherHosts) {
    const listening = await server.listen({ host, port }, handler);
    if (!('fault' in listening)) {
      servers.push(listening);
      continue;
    }
    // Without IPv6 no other program can listen there either. After any other fault the browser may reach another program.
    if (listening.fault === 'no-address') continue;
    await close();
    return listening;
  }
  return {
    port,
    stopAccepting() {
      for (const listening of servers) listening.stopAccepting();
    },
    close,
  };
}
