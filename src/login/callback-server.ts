// The address that the browser comes back to: a listener on loopback that waits for the one request with the right
// state. Everything else that arrives (a favicon, a scanner, a wrong state, a wrong Host header) gets a plain answer and
// never ends the wait.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Failure } from '../failure.ts';
import type { ListenFault, Listening, World } from '../world/world.ts';
import { reservedPortsHint } from './reserved-ports.ts';

/** What the redirect carried. */
export type AuthorizationResponse =
  | { readonly code: string }
  | { readonly error: string; readonly description: string | undefined };

/** What the browser is shown. */
export interface CallbackPage {
  readonly title: string;
  readonly text: string;
}

export interface CallbackServer {
  /** For the authorize request and the exchange, where no other address is registered. */
  readonly redirectUri: string;
  /** The first request with the right state. The browser waits for its page until `end` is called. */
  readonly authorized: Promise<AuthorizationResponse>;
  /** Shows the browser how it ended, where one came, and frees the port. */
  respond(page: CallbackPage): Promise<void>;
}

/** Reads a callback's query: `state` first, compared in constant time; nothing else is looked at before it is right. */
export function parseAuthorizationResponse(
  query: URLSearchParams,
  state: string,
): AuthorizationResponse | 'wrong state' | 'no code' {
  if (!isSameText(query.get('state') ?? '', state)) return 'wrong state';
  const error = query.get('error');
  if (error) return { error, description: query.get('error_description') ?? undefined };
  const code = query.get('code');
  return code ? { code } : 'no code';
}

function isSameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

export interface CallbackAddress {
  /** 0 picks a free one. */
  readonly port: number;
  readonly path: string;
  /** How the address is written in the redirect: 127.0.0.1, localhost or [::1]. */
  readonly hostname: string;
  /** The numeric address to listen at; without it, what `hostname` stands for. */
  readonly address?: string;
}

/** Throws a {@link Failure} where the port cannot be had. */
export async function createCallbackServer(
  world: Pick<World, 'server'>,
  place: CallbackAddress,
  state: string,
): Promise<CallbackServer> {
  let waiting: ServerResponse | undefined;
  let land: (landing: AuthorizationResponse) => void = () => {};
  let done = false;
  const landed = new Promise<AuthorizationResponse>((resolve) => {
    land = resolve;
  });
  const listening = await listenOnAll(world, place, (request, response) => {
    const host = request.headers.host;
    const url = URL.canParse(request.url ?? '', origin()) ? new URL(request.url ?? '', origin()) : undefined;
    if (host !== `${place.hostname}:${port()}` || url?.pathname !== place.path || request.method !== 'GET') {
      return sendText(response, 404, 'Nothing here.');
    }
    const landing = parseAuthorizationResponse(url.searchParams, state);
    if (landing === 'wrong state')
      return sendText(response, 400, 'This is not the sign-in that is being waited for.');
    if (landing === 'no code') return sendText(response, 400, 'The sign-in came back without a code.');
    if (done) return sendText(response, 400, 'This sign-in is already done.');
    done = true;
    waiting = response;
    // The right one has come: nobody else needs the port, however long the exchange takes.
    stopAccepting();
    land(landing);
  });
  if ('fault' in listening) {
    throw new Failure('other', {
      message: `The callback port ${place.port} cannot be opened`,
      why: listening.detail,
      hint: `Free it, or choose another: --port PORT, or --redirect-uri with the callback that is registered with the application.${reservedPortsHint(listening, place.port)}`,
    });
  }
  const stopAccepting = () => listening.stopAccepting();
  const port = () => listening.port;
  const origin = () => `http://${place.hostname}:${port()}`;
  return {
    redirectUri: `${origin()}${place.path}`,
    authorized: landed,
    async respond(page) {
      if (waiting) await sendPage(waiting, page);
      waiting = undefined;
      await listening.close();
    },
  };
}

/** A browser may take localhost for either; all addresses of version 4 leave one of them to whoever listens there. */
function addressesOf({ hostname, address }: CallbackAddress): readonly string[] {
  if (address === '0.0.0.0' && hostname === 'localhost') return [address, '::1'];
  if (address !== undefined) return [address];
  return hostname === 'localhost' ? ['127.0.0.1', '::1'] : [hostname.replace(/^\[|\]$/g, '')];
}

/** Listens at each of the addresses as if they were one: with the port of the first, and one handler. */
async function listenOnAll(
  { server }: Pick<World, 'server'>,
  place: CallbackAddress,
  handler: Parameters<World['server']['listen']>[1],
): Promise<Pick<Listening, 'port' | 'stopAccepting' | 'close'> | ListenFault> {
  const all: Listening[] = [];
  const close = async () => void (await Promise.all(all.map((one) => one.close())));
  for (const host of addressesOf(place)) {
    const listening = await server.listen({ host, port: all[0]?.port ?? place.port }, handler);
    if (!('fault' in listening)) {
      all.push(listening);
      continue;
    }
    // A machine without IPv6 is fine: nobody can listen there. Anything else is not: the browser may go to another program.
    if (all.length > 0 && listening.fault === 'no-address') continue;
    await close();
    return listening;
  }
  return {
    port: all[0]?.port ?? place.port,
    stopAccepting() {
      for (const one of all) one.stopAccepting();
    },
    close,
  };
}

const securityHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
} as const;

function sendText(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
    .end(`${text}\n`);
}

/** Takes the code out of the address and the history; the page loads nothing from anywhere. */
const hideCodeScript = "history.replaceState(null, '', '/')";

function sendPage(response: ServerResponse, { title, text }: CallbackPage): Promise<void> {
  const hash = createHash('sha256').update(hideCodeScript).digest('base64');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>:root { color-scheme: light dark } body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem }</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</main>
<script>${hideCodeScript}</script>
</body>
</html>
`;
  response.writeHead(200, {
    ...securityHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; frame-ancestors 'none'`,
  });
  return new Promise((resolve) => {
    // A browser that has gone away, now or before, ends the wait too.
    if (response.destroyed) return resolve();
    response.once('close', resolve);
    response.end(html, resolve);
  });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
