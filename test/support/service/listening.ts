// A server of a test on a free port of this machine.

import { once } from 'node:events';
import type { Server } from 'node:net';

/** The port, once it listens. */
export async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port');
  return address.port;
}
