// A server of a test on a free port of this machine.

import { once } from 'node:events';
import type { Server } from 'node:net';

/** The port, once it listens. Closed when the test ends, with its connections. */
export async function listening(
  server: Server & { closeAllConnections?(): void },
  test?: { after(end: () => void): void },
): Promise<number> {
  test?.after(() => {
    server.close();
    server.closeAllConnections?.();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port');
  return address.port;
}
