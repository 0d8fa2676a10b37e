// Listens for HTTP or HTTPS on this machine and hands each request on, with limits on how long a slow or hostile client may
// hold a connection. The handler decides the responses and limits the length of bodies.

import type { Socket } from 'node:net';
import { createMalformedRequestHandler } from './malformed-requests.ts';
import type { ListenFault, Server } from './world.ts';

const limits = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  // Otherwise Node checks for slow clients only every 30 s, whatever the limits above are.
  connectionsCheckingInterval: 5_000,
};

export function createServer(): Server {
  return {
    async listen({ host, port, tls, halfOpen = false }, handler) {
      const server = tls
        ? (await import('node:https')).createServer(
            {
              ...limits,
              handshakeTimeout: 15_000,
              key: tls.key,
              cert: tls.certificate,
              allowHalfOpen: halfOpen,
            },
            handler,
          )
        : (await import('node:http')).createServer(limits, handler);
      // Node's manual does not document this event. Without it, such a client gets no late response.
      Object.assign(server, { httpAllowHalfOpen: halfOpen });
      const malformed = createMalformedRequestHandler();
      server.prependListener('request', malformed.onRequest);
      server.on('clientError', malformed.onClientError);
      server.on('connect', malformed.onConnect);
      /** All connections. The server does not track those before the TLS handshake, nor those that sent CONNECT. */
      const sockets = new Set<Socket>();
      server.on('connection', (socket: Socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
      const trouble = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
        server.once('error', resolve);
        server.listen({ host, port }, () => resolve(undefined));
      });
      if (trouble) return faultOf(trouble);
      const address = server.address();
      if (address === null || typeof address === 'string') return { fault: 'failed', detail: 'no address' };
      let stopped: Promise<void> | undefined;
      const stop = () => {
        stopped ??= new Promise((resolve) => server.close(() => resolve()));
        return stopped;
      };
      return {
        host: address.address,
        port: address.port,
        stopAccepting: () => void stop(),
        close() {
          const ended = stop();
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
