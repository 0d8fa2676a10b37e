// Listens for HTTP or HTTPS on this machine and passes each request to a handler. Limits how long a slow or hostile client may hold
// a connection. The handler responds, and limits the length of bodies.

import type { RequestListener } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { omitUndefined } from '#omit-undefined.ts';
import { limitConnections, refuseRequest } from './connection-limit.ts';
import { createMalformedRequestHandler } from './malformed-requests.ts';
import type { ListenFault, Server, ServerLimits } from './world.ts';

const defaultLimits: ServerLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  keepAliveMs: 5_000,
  connections: Number.POSITIVE_INFINITY,
};
/** How often Node looks for slow clients. By default it does so every 30 s, whatever the limits are. */
const checkMs = 5_000;

export function createServer(): Server {
  return {
    async listen(options, handler) {
      const { host, port, tls, halfOpen = false, never4xx = false } = options;
      const limits = { ...defaultLimits, ...options.limits };
      const handlesAll = never4xx || options.ownBody !== undefined;
      const http = {
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        keepAliveTimeout: limits.keepAliveMs,
        connectionsCheckingInterval: Math.min(checkMs, limits.headersMs, limits.requestMs),
        // Node would respond with 400 to a request without Host.
        requireHostHeader: !handlesAll,
        ...omitUndefined({ maxHeaderSize: limits.headerBytes }),
      };
      const server = tls
        ? (await import('node:https')).createServer({
            ...http,
            handshakeTimeout: 15_000,
            key: tls.key,
            cert: tls.certificate,
            allowHalfOpen: halfOpen,
          })
        : (await import('node:http')).createServer(http);
      // Node's manual does not document this option. Without it, such a client gets no late response.
      Object.assign(server, { httpAllowHalfOpen: halfOpen });
      const malformed = createMalformedRequestHandler(options);
      server.on('request', malformed.onRequest);
      server.on('clientError', malformed.onClientError);
      server.on('connect', malformed.onConnect);
      /** All connections. The server does not track a connection before the TLS handshake, nor after CONNECT. */
      const sockets = new Set<Socket>();
      server.on('connection', (socket: Socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
      let isRefusing = false;
      const serve: RequestListener = (request, response) => {
        if (!isRefusing) return handler(request, response);
        refuseRequest(request, response, () => options.onOwnResponse?.(503, 'ending'));
      };
      server.on('request', limitConnections(server, sockets, limits, serve, options));
      // Node would respond with 417 to an unknown expectation.
      if (handlesAll)
        server.on('checkExpectation', (request, response) => server.emit('request', request, response));
      const listenError = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
        // `on`, not `once`: a later error, such as too many open files, must not end the program.
        server.on('error', resolve);
        server.listen({ host, port }, () => resolve(undefined));
      });
      if (listenError) return faultOf(listenError);
      const address = server.address();
      if (address === null || typeof address === 'string') return { fault: 'failed', detail: 'no address' };
      let stopped: Promise<void> | undefined;
      const stop = () => {
        malformed.endConnections();
        // Not the close of the HTTP server: it also ends idle connections, and a request may be on its way there.
        stopped ??= new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
        return stopped;
      };
      return {
        host: address.address,
        port: address.port,
        stopAccepting: () => void stop(),
        refuse() {
          isRefusing = true;
        },
        idle: malformed.idle,
        close() {
          const ended = stop();
          // Also ends the server's timer for slow clients.
          server.close();
          server.closeAllConnections();
          for (const socket of sockets) socket.destroy();
          return ended;
        },
      };
    },
  };
}

function faultOf(error: NodeJS.ErrnoException): ListenFault {
  if (error.code === 'EADDRINUSE') return { fault: 'in-use', detail: error.message };
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return { fault: 'not-allowed', detail: error.message };
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')
    return { fault: 'no-address', detail: error.message };
  return { fault: 'failed', detail: error.message };
}
