// Limits the connections of a server, and how slowly a request may arrive. Node's own limit closes a further connection without a
// response. Here an idle or slow connection makes room for it; otherwise the client gets 503.

import type { Server as HttpServer, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { ListenOptions, ServerLimits } from './world.ts';

/** The progress of one connection, or with https of the TLS connection in it. */
interface Progress {
  /** Requests that have not arrived completely, or whose response has not been sent completely. */
  openRequests: number;
  newest?: IncomingMessage;
  /** The bytes read when it last made progress, and the checks since then. */
  bytesAtProgress: number;
  checks: number;
  /** The bytes read when it was last idle. */
  bytesWhenIdle: number;
}

const checkMs = 250;
/** After this many checks without a byte, a connection makes room. A new connection has not been read yet. */
const silentChecks = 3;
/** After this time without progress, a request makes room for another. */
const slowMs = 5_000;
/** A stray line end between requests does not begin a request (RFC 9112 §2.2). */
const lineEndBytes = 2;
/** Fewer bytes do not count as progress. */
const minProgressBytes = 1024;

/** Returns the handler for a server with these `sockets`. Requests beyond the limit do not reach `handler`. */
export function limitConnections(
  server: HttpServer | HttpsServer,
  sockets: ReadonlySet<Socket>,
  { connections: limit, stallMs }: Pick<ServerLimits, 'connections' | 'stallMs'>,
  handler: RequestListener,
  { tls, onOwnResponse = () => {} }: Pick<ListenOptions, 'tls' | 'onOwnResponse'>,
): RequestListener {
  if (limit === Number.POSITIVE_INFINITY) return handler;
  const excessSockets = new Set<Socket>();
  // With https, requests arrive on another socket than that of `connection`.
  const opened = tls ? 'secureConnection' : 'connection';
  const progress = watchProgress(server, opened, stallMs);
  /** The set still contains sockets that were closed a moment ago. */
  const countOver = (max: number) =>
    sockets.size > max ? [...sockets].filter(({ destroyed }) => !destroyed).length - max : 0;
  const isOver = (max: number) => countOver(max) > 0;
  const end = (socket: Socket | undefined, why: 'silent' | 'busy') => {
    if (!socket) return;
    socket.destroy();
    onOwnResponse(0, why);
  };
  server.on('connection', (socket: Socket) => {
    const excess = countOver(limit);
    if (excess <= 0) return;
    // Close the oldest first: a client that wants to send something does so soon.
    for (const silentSocket of progress.silent().slice(0, excess)) end(silentSocket, 'silent');
    if (isOver(limit)) server.closeIdleConnections();
    if (isOver(limit)) end(progress.slowest(), 'busy');
    // Each of these may last until the time limit for headers, so limit their number too.
    if (isOver(2 * limit)) end(socket, 'busy');
  });
  server.on(opened, (socket: Socket) => {
    if (!isOver(limit)) return;
    excessSockets.add(socket);
    socket.once('close', () => excessSockets.delete(socket));
  });
  return (request, response) => {
    progress.onRequest(request, response);
    if (!excessSockets.has(request.socket)) return handler(request, response);
    refuseRequest(request, response, () => onOwnResponse(503, 'busy'));
  };
}

/** Ends a request that has stalled for `stallMs`. Counts checks, not time: after a stop, this process has yet to read what arrived. */
function watchProgress(
  server: HttpServer | HttpsServer,
  event: 'connection' | 'secureConnection',
  stallMs = Number.POSITIVE_INFINITY,
) {
  const progressOf = new Map<Socket, Progress>();
  /** Connections without a byte so far, the oldest first, each with its number of checks. */
  const unread = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => void unread.set(socket, 0));
  server.on(event, (socket: Socket) => {
    progressOf.set(socket, { openRequests: 0, bytesAtProgress: 0, checks: 0, bytesWhenIdle: 0 });
    socket.once('close', () => progressOf.delete(socket));
  });
  const check = () => {
    for (const [socket, checks] of unread)
      if (socket.destroyed || socket.bytesRead > 0) unread.delete(socket);
      else unread.set(socket, checks + 1);
    for (const [socket, progress] of progressOf) {
      const { openRequests, newest, bytesAtProgress, bytesWhenIdle } = progress;
      const isArriving =
        openRequests > 0 ? newest?.complete === false : socket.bytesRead > bytesWhenIdle + lineEndBytes;
      if (!isArriving || socket.bytesRead - bytesAtProgress >= minProgressBytes) {
        progress.bytesAtProgress = socket.bytesRead;
        progress.checks = 0;
      } else progress.checks += 1;
      if (progress.checks * interval < stallMs) continue;
      const stalled = Object.assign(new Error('the request stalled'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      progress.checks = 0;
      server.emit('clientError', stalled, socket);
    }
  };
  const interval = Math.min(checkMs, stallMs);
  const timer = setInterval(check, interval).unref();
  server.once('close', () => clearInterval(timer));
  return {
    onRequest(request: IncomingMessage, response: ServerResponse) {
      const { socket } = request;
      const progress = progressOf.get(socket);
      if (!progress) return;
      progress.openRequests += 1;
      progress.newest = response.req;
      let parts = 2;
      // An early response is over before its request.
      const endPart = () => {
        parts -= 1;
        if (parts > 0) return;
        progress.openRequests -= 1;
        progress.bytesWhenIdle = socket.bytesRead;
      };
      request.once('end', endPart);
      response.once('close', endPart);
    },
    silent: () =>
      [...unread].flatMap(([socket, checks]) =>
        checks >= silentChecks && !socket.destroyed && socket.bytesRead === 0 ? [socket] : [],
      ),
    /** The connection that has been without progress for the longest time, if longer than `slowMs`. */
    slowest(): Socket | undefined {
      let maxChecks = slowMs / interval - 1;
      let slowest: Socket | undefined;
      for (const [socket, { checks }] of progressOf) {
        if (socket.destroyed || checks <= maxChecks) continue;
        maxChecks = checks;
        slowest = socket;
      }
      return slowest;
    },
  };
}

export function refuseRequest(request: IncomingMessage, response: ServerResponse, onRefused: () => void) {
  // Closing a connection over unread bytes resets it, and its client might lose the response.
  request.resume().once('end', () => {
    response.writeHead(503, { 'Content-Length': 0, Connection: 'close' }).end();
    onRefused();
  });
}
