// Limits how many connections a server has at once, and how slowly a request may arrive. Node's own limit on connections closes a further
// one without a word, which tells its client nothing; here idle and slow ones make room first, and otherwise it gets 503.

import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { ListenOptions, RequestHandler, ServerLimits } from './world.ts';

/** What is known of a connection, or with https of what is inside it. */
interface Progress {
  /** Requests that have not come whole, or are without their whole response. */
  open: number;
  newest: IncomingMessage | undefined;
  /** How much had come when it last made progress, and how many looks ago that was. */
  seen: number;
  looks: number;
  /** How much had come when it was last idle. */
  idleAt: number;
}

const lookMs = 250;
/** A connection on which nothing came at so many looks makes room. A fresh one has not been read yet. */
const silentLooks = 3;
/** After so long without progress, a request makes room for another one. */
const slowMs = 5_000;
/** A stray one between requests is not the beginning of a request (RFC 9112 §2.2). */
const lineEndBytes = 2;
/** Fewer do not count as progress. */
const leastBytes = 1024;

/** The handler for a server whose connections are in `sockets`: further ones never reach `handler`. */
export function limitConnections(
  server: HttpServer | HttpsServer,
  sockets: ReadonlySet<Socket>,
  { connections: limit, stallMs }: Pick<ServerLimits, 'connections' | 'stallMs'>,
  handler: RequestHandler,
  { tls, onOwnResponse = () => {} }: Pick<ListenOptions, 'tls' | 'onOwnResponse'>,
): RequestHandler {
  if (limit === Number.POSITIVE_INFINITY) return handler;
  const further = new Set<Socket>();
  // With https, that of requests is not the socket of `connection`.
  const opened = tls ? 'secureConnection' : 'connection';
  const watched = watchProgress(server, opened, stallMs);
  /** Those that were closed a moment ago are still in the set. */
  const countOver = (most: number) =>
    sockets.size > most ? [...sockets].filter(({ destroyed }) => !destroyed).length - most : 0;
  const isOver = (most: number) => countOver(most) > 0;
  const end = (socket: Socket | undefined, why: 'silent' | 'busy') => {
    if (!socket) return;
    socket.destroy();
    onOwnResponse(0, why);
  };
  server.on('connection', (socket: Socket) => {
    const excess = countOver(limit);
    if (excess <= 0) return;
    // The oldest: a client that means to send something does so soon.
    for (const one of watched.silent().slice(0, excess)) end(one, 'silent');
    if (isOver(limit)) server.closeIdleConnections();
    if (isOver(limit)) end(watched.slowest(), 'busy');
    // Each of them may take until the time limit of its headers, so their number is limited too.
    if (isOver(2 * limit)) end(socket, 'busy');
  });
  server.on(opened, (socket: Socket) => {
    if (!isOver(limit)) return;
    further.add(socket);
    socket.once('close', () => further.delete(socket));
  });
  return (request, response) => {
    watched.onRequest(request, response);
    if (further.size === 0 || !further.has(request.socket)) return handler(request, response);
    refuseRequest(request, response, () => onOwnResponse(503, 'busy'));
  };
}

/**
 * Ends a request of which too little has come for `stallMs`, as Node does after its own limits. Looks are counted, not time: after a
 * stop of this process, what came meanwhile has not been read yet.
 */
function watchProgress(
  server: HttpServer | HttpsServer,
  event: 'connection' | 'secureConnection',
  stallMs = Number.POSITIVE_INFINITY,
) {
  const all = new Map<Socket, Progress>();
  /** Connections on which nothing has come, the oldest first, each with how many looks it has had. */
  const unread = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => void unread.set(socket, 0));
  server.on(event, (socket: Socket) => {
    all.set(socket, { open: 0, newest: undefined, seen: 0, looks: 0, idleAt: 0 });
    socket.once('close', () => all.delete(socket));
  });
  const look = () => {
    for (const [socket, looks] of unread)
      if (socket.destroyed || socket.bytesRead > 0) unread.delete(socket);
      else unread.set(socket, looks + 1);
    for (const [socket, progress] of all) {
      const { open, newest, seen, idleAt } = progress;
      const isArriving = open > 0 ? newest?.complete === false : socket.bytesRead > idleAt + lineEndBytes;
      if (!isArriving || socket.bytesRead - seen >= leastBytes) {
        progress.seen = socket.bytesRead;
        progress.looks = 0;
      } else progress.looks += 1;
      if (progress.looks * interval < stallMs) continue;
      const stalled = Object.assign(new Error('the request stalled'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      progress.looks = 0;
      server.emit('clientError', stalled, socket);
    }
  };
  const interval = Math.min(lookMs, stallMs);
  const timer = setInterval(look, interval).unref();
  server.once('close', () => clearInterval(timer));
  return {
    onRequest(request: IncomingMessage, response: ServerResponse) {
      const { socket } = request;
      const progress = all.get(socket);
      if (!progress) return;
      progress.open += 1;
      progress.newest = response.req;
      let parts = 2;
      // An early response is over before its request.
      const endPart = () => {
        parts -= 1;
        if (parts > 0) return;
        progress.open -= 1;
        progress.idleAt = socket.bytesRead;
      };
      request.once('end', endPart);
      response.once('close', endPart);
    },
    silent: () =>
      [...unread].flatMap(([socket, looks]) =>
        looks >= silentLooks && !socket.destroyed && socket.bytesRead === 0 ? [socket] : [],
      ),
    /** The one that has made no progress for the longest time, if that is long. */
    slowest(): Socket | undefined {
      let most = slowMs / interval - 1;
      let found: Socket | undefined;
      for (const [socket, { looks }] of all) {
        if (socket.destroyed || looks <= most) continue;
        most = looks;
        found = socket;
      }
      return found;
    },
  };
}

/** Responds with 503, and ends the connection. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  onRefused: () => void,
): void {
  // A connection that is closed over unread bytes is reset, and its client might lose the response.
  request.resume().once('end', () => {
    response.writeHead(503, { 'Content-Length': 0, Connection: 'close' }).end();
    onRefused();
  });
}
