// Runs the server behind `wm webhook listen --ui` and `wm webhook forward --ui`. It listens on this machine only, never on the webhook's
// port, and is loaded only with --ui.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameText } from '#contract/signature.ts';
import { usageError } from '#failure.ts';
import { isUnfinished } from '../deliveries/logged-delivery.ts';
import type { ReceiverPage } from '../listening/receiver-storage.ts';
import { createPageDeliveries, type PageParts } from './page-deliveries.ts';
import { createPageDocument } from './page-document.ts';
import { sendBytes, sendError, sendFound, sendJson, sendText } from './page-responses.ts';

/** @throws {Failure} `usage` if the port is not free. */
export async function startPage(parts: PageParts): Promise<ReceiverPage> {
  const { world, port, source, command, replay, retryNow } = parts;
  const token = randomBytes(32).toString('base64url');
  const page = createPageDocument(command, replay !== undefined);
  const deliveries = createPageDeliveries(parts, await source.first());
  const stop = new AbortController();
  const respond = async (route: PageRoute, response: ServerResponse): Promise<void> => {
    switch (route.kind) {
      case 'page':
        return page(response);
      case 'events':
        if (deliveries.openStream(response)) source.onOpened();
        else sendError(response, 503, 'Too many pages are open');
        return;
      case 'older':
        return sendJson(response, await deliveries.older(route.before));
      case 'details':
        return sendFound(response, await deliveries.details(route.sequence));
      case 'body': {
        const delivery = await source.read(route.sequence);
        return delivery ? sendBytes(response, delivery) : sendFound(response, undefined);
      }
      case 'retry':
        return sendFound(response, retryNow && { text: retryNow() });
      case 'replay': {
        if (replay === undefined)
          return sendError(response, 409, `No target: start ${command} with --forward-to or --exec`);
        const match = await deliveries.find(route.sequence);
        if (match && isUnfinished(match.delivery))
          return sendError(response, 409, 'wm will still forward it, so it would arrive twice');
        return sendFound(response, match && (await deliveries.replay(match, replay, stop.signal)));
      }
    }
  };
  void source.follow(deliveries.host, stop.signal);
  const listening = await world.server.listen({ host: '127.0.0.1', port }, (request, response) => {
    const route = routeOf(request, response, token, 'port' in listening ? listening.port : 0);
    if (route === undefined) return;
    respond(route, response).catch((error: unknown) => {
      // The source could not be read. The page reports it; the receiver keeps running.
      if (response.headersSent) response.destroy();
      else sendError(response, 500, error instanceof Error ? error.message : 'Unexpected error');
    });
  });
  if ('fault' in listening) {
    stop.abort();
    throw usageError(
      `wm cannot listen on 127.0.0.1 port ${port} for the page`,
      'Choose another port with --ui-port, or leave it out: then wm takes a free one.',
      listening.fault === 'in-use' ? 'another program listens there' : listening.detail,
    );
  }
  return {
    url: `http://127.0.0.1:${listening.port}/${token}/`,
    onActivity: source.onActivity,
    async close() {
      stop.abort();
      deliveries.closeStreams();
      await listening.close();
    },
  };
}

/**
 * Returns `undefined` after rejecting the request. The page shows confidential work and can replay deliveries, so a request must have this
 * machine's Host (against DNS rebinding), the secret token in its path, and no sign that another origin sent it.
 */
function routeOf(request: IncomingMessage, response: ServerResponse, token: string, port: number) {
  // Drops the body, which no request needs: unread, it would block the connection.
  request.resume();
  const { url = '', method } = request;
  const [, pathToken = '', path = ''] = /^\/([^/?]*)(.*)$/s.exec(url) ?? [];
  // Compare even if the Host is wrong, so that the response time reveals nothing.
  const isKnown = isSameText(pathToken, token) && isOwnHost(request.headers.host, port);
  const route = parseRoute(path);
  if (!isKnown) sendText(response, 404, 'Not found.');
  else if (isFromOtherOrigin(request, path))
    sendError(response, 403, 'This request comes from another origin, not from the page');
  else if (route === undefined) sendError(response, 404, 'Path not found');
  else if (route.method === method) return route;
  else {
    response.setHeader('Allow', route.method);
    sendError(response, 405, `Use ${route.method} for this path`);
  }
  return undefined;
}

/** Accepts the names of this machine with this port. A tunnel by ssh -L must forward the same port. */
function isOwnHost(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some((name) => host?.toLowerCase() === `${name}:${port}`);
}

function isFromOtherOrigin({ method, headers }: IncomingMessage, path: string): boolean {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  // Every browser sends an Origin with a POST, even an old one without Sec-Fetch-Site.
  if (origin === undefined ? method === 'POST' : origin !== `http://${host.toLowerCase()}`) return true;
  // `none`: the user typed the address, or opened a bookmark.
  const mayBeTyped = method === 'GET' && path === '/';
  return site !== undefined && site !== 'same-origin' && !(mayBeTyped && site === 'none');
}

type PageRoute =
  | { readonly kind: 'page' | 'events'; readonly method: 'GET' }
  | { readonly kind: 'older'; readonly method: 'GET'; readonly before: number }
  | { readonly kind: 'details' | 'body'; readonly method: 'GET'; readonly sequence: number }
  | { readonly kind: 'replay'; readonly method: 'POST'; readonly sequence: number }
  | { readonly kind: 'retry'; readonly method: 'POST' };

function parseRoute(path: string): PageRoute | undefined {
  if (path === '/') return { kind: 'page', method: 'GET' };
  if (path === '/events') return { kind: 'events', method: 'GET' };
  if (path === '/retry') return { kind: 'retry', method: 'POST' };
  const [, before] = /^\/deliveries\?before=(\d{1,15})$/.exec(path) ?? [];
  if (before !== undefined) return { kind: 'older', method: 'GET', before: Number(before) };
  const [, number, action] = /^\/deliveries\/(\d{1,15})(\/body|\/replay)?$/.exec(path) ?? [];
  if (number === undefined) return undefined;
  const sequence = Number(number);
  if (action === '/replay') return { kind: 'replay', method: 'POST', sequence };
  return { kind: action === '/body' ? 'body' : 'details', method: 'GET', sequence };
}
