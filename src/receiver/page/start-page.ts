// Runs the server behind `wm webhook listen --ui` and `wm webhook forward --ui`. It listens on this machine only, never on the webhook's
// port, and is loaded only with --ui.

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { isSameText } from '#contract/signature.ts';
import { usageError } from '#failure.ts';
import { sanitizeJson } from '#terminal/sanitize.ts';
import { type Html, html } from '#web/html-template.ts';
import { pageHeaders } from '#web/web-page.ts';
import type { ServerRequest, ServerResponse } from '#world/world.ts';
import { isUnfinished } from '../archive/deliveries/logged-delivery.ts';
import { createPageDeliveries } from './page-deliveries.ts';
import { describeNoTarget, drawDocument } from './page-document.ts';
import type { PageParts, ReceiverPage } from './page-source.ts';

/** @throws {Failure} `usage` if the port is not free. */
export async function startPage(parts: PageParts): Promise<ReceiverPage> {
  const { world, port, source } = parts;
  const token = world.randomBytes(32).toString('base64url');
  const deliveries = createPageDeliveries(world.clock, source, parts.titleOf, await source.first());
  const stop = new AbortController();
  const routes = createRoutes(parts, deliveries, stop.signal);
  void source.follow(deliveries.host, stop.signal);
  const listening = await world.server.listen({ host: '127.0.0.1', port }, async (request, response) => {
    // Drops the body, which no request needs: unread, it would block the connection.
    request.resume();
    const ownPort = 'port' in listening ? listening.port : 0;
    await respond(routes, request, response, token, ownPort).catch((error: unknown) => {
      // The source could not be read. The page reports it; the receiver keeps running.
      if (response.headersSent) response.destroy();
      else sendProblem(response, 500, error instanceof Error ? error.message : 'Unexpected error');
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

/** `number`: that in the path. */
type Respond = (response: ServerResponse, number: number) => unknown;

/** By the path, in which N is a number. Paths of `reads` have GET, and those of `actions` POST. */
function createRoutes(
  parts: PageParts,
  deliveries: ReturnType<typeof createPageDeliveries>,
  signal: AbortSignal,
) {
  const { source, command, replay, retryNow } = parts;
  const { document, policy } = drawDocument(parts);
  const reads: Readonly<Record<string, Respond>> = {
    '/': (response) =>
      sendHtml(response, document, 200, {
        'Content-Security-Policy': policy,
        'Cross-Origin-Opener-Policy': 'same-origin',
        // Keeps the token in the address from other sites.
        'Referrer-Policy': 'no-referrer',
      }),
    // Server-sent events: HTML as for the other requests, at first everything.
    '/events'(response) {
      if (deliveries.openStream(response)) source.onOpened();
      else sendProblem(response, 503, 'Too many pages are open');
    },
    '/deliveries?before=N': async (response, number) => sendHtml(response, await deliveries.older(number)),
    '/deliveries/N': async (response, number) => sendFound(response, await deliveries.details(number)),
    async '/deliveries/N/body'(response, number) {
      const stored = await source.read(number);
      if (stored === undefined) return sendFound(response, undefined);
      // A download: a browser must not show it as a page of this origin.
      response.setHeader('Content-Disposition', `attachment; filename="delivery-${number}.json"`);
      response
        .writeHead(200, {
          ...pageHeaders,
          'Content-Type': 'application/octet-stream',
          'Content-Length': stored.body.length,
        })
        .end(stored.body);
    },
  };
  const actions: Readonly<Record<string, Respond>> = {
    async '/deliveries/N/replay'(response, number) {
      if (replay === undefined) return sendProblem(response, 409, describeNoTarget(command));
      const match = await deliveries.find(number);
      if (match && isUnfinished(match.delivery))
        return sendProblem(response, 409, 'wm will still forward it, so it would arrive twice');
      sendFound(response, match && (await deliveries.replay(match, replay, signal)));
    },
    '/retry': (response) =>
      sendFound(response, retryNow && html`<span id="retry-state">${retryNow()}</span>`),
  };
  return { GET: reads, POST: actions };
}

/**
 * The page shows confidential work and can replay deliveries, so a request must have this machine's Host (against DNS rebinding), the
 * secret token in its path, and no sign that another origin sent it. Otherwise it gets an error here.
 */
async function respond(
  routes: ReturnType<typeof createRoutes>,
  { url = '', method, headers }: ServerRequest,
  response: ServerResponse,
  token: string,
  port: number,
): Promise<void> {
  const [, pathToken = '', path = ''] = /^\/([^/?]*)(.*)$/s.exec(url) ?? [];
  // Compare even if the Host is wrong, so that the response time reveals nothing.
  const isKnown = isSameText(pathToken, token) && isOwnHost(headers.host, port);
  if (!isKnown) {
    response
      .writeHead(404, { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
      .end('Not found.\n');
    return;
  }
  if (isFromOtherOrigin(method, headers, path))
    return sendProblem(response, 403, 'This request comes from another origin, not from the page');
  const number = Number(/\d{1,15}/.exec(path)?.[0] ?? 0);
  const name = path.replace(/\d{1,15}/, 'N');
  const allowed = (['GET', 'POST'] as const).find((one) => Object.hasOwn(routes[one], name));
  if (allowed === undefined) return sendProblem(response, 404, 'Path not found');
  if (allowed === method) return void (await routes[allowed][name]?.(response, number));
  response.setHeader('Allow', allowed);
  sendProblem(response, 405, `Use ${allowed} for this path`);
}

/** Accepts the names of this machine with this port. A tunnel by ssh -L must forward the same port. */
function isOwnHost(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some((name) => host?.toLowerCase() === `${name}:${port}`);
}

function isFromOtherOrigin(
  method: string | undefined,
  { host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  path: string,
): boolean {
  // Every browser sends an Origin with a POST, even an old one without Sec-Fetch-Site.
  if (origin === undefined ? method === 'POST' : origin !== `http://${host.toLowerCase()}`) return true;
  // `none`: the user typed the address, or opened a bookmark.
  const mayBeTyped = method === 'GET' && path === '/';
  return site !== undefined && site !== 'same-origin' && !(mayBeTyped && site === 'none');
}

/** Makes the characters visible that would turn the reading direction, for example. */
function sendHtml(response: ServerResponse, content: Html, status = 200, headers: OutgoingHttpHeaders = {}) {
  response
    .writeHead(status, { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8', ...headers })
    .end(sanitizeJson(content.text));
}

function sendProblem(response: ServerResponse, status: number, sentence: string): void {
  sendHtml(response, html`${sentence}`, status);
}

function sendFound(response: ServerResponse, found: Html | undefined): void {
  if (found === undefined) sendProblem(response, 404, 'Delivery not found: it may have been dropped');
  else sendHtml(response, found);
}
