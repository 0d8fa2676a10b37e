// Listens for HTTP on this machine and hands each request on, with limits on how long a slow or hostile client may
// hold a connection. Leaves what is answered, and limits on the length of bodies, to the handler.

import type { ListenFault, Server } from './world.ts';

export function createServer(): Server {
  return {
    async listen({ host, port }, handler) {
      const { createServer: create } = await import('node:http');
      const server = create(
        {
          headersTimeout: 15_000,
          requestTimeout: 60_000,
          keepAliveTimeout: 5_000,
          // Node looks for slow clients every 30 s otherwise, whatever the limits above say.
          connectionsCheckingInterval: 5_000,
        },
        handler,
      );
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
  return { fault: 'failed', detail: error.message };
}
