// Limits how many connections a server has at once. Node's own limit closes a further one without a word, which tells its
// client nothing; here it gets 503, and idle connections make room first.

import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { ListenOptions, RequestHandler } from './world.ts';

/** The handler for a server whose connections are in `sockets`: further ones never reach `handler`. */
export function limitConnections(
  server: HttpServer | HttpsServer,
  sockets: ReadonlySet<Socket>,
  limit: number,
  handler: RequestHandler,
  { tls, onOwnResponse = () => {} }: Pick<ListenOptions, 'tls' | 'onOwnResponse'>,
): RequestHandler {
  if (limit === Number.POSITIVE_INFINITY) return handler;
  const further = new Set<Socket>();
  /** Those that were closed a moment ago are still in the set. */
  const isOver = (most: number) =>
    sockets.size > most && [...sockets].filter(({ destroyed }) => !destroyed).length > most;
  server.on('connection', (socket: Socket) => {
    if (!isOver(limit)) return;
    server.closeIdleConnections();
    // Each of them may take until the time limit of its headers, so their number is limited too.
    if (isOver(2 * limit)) socket.destroy();
  });
  // With https, that of requests is not the socket of `connection`.
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (!isOver(limit)) return;
    further.add(socket);
    socket.once('close', () => further.delete(socket));
  });
  return (request, response) => {
    if (further.size === 0 || !further.has(request.socket)) return handler(request, response);
    refuseRequest(request, response, () => onOwnResponse(503, 'busy'));
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
