// A port that a test chooses before anybody listens on it, or on which nobody must listen.

import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Whoever comes later, or is killed and comes back, must find it free still. So they are below those that the system gives to
 * whoever asks for any, and test files that run at the same time take them from different parts: whoever listens on the first
 * port of a part has all of it.
 */
const parts = { from: 10_000, count: 44, size: 500 };
const given = new Set<number>();
let ownPart: Promise<number> | undefined;

export async function freePort(): Promise<number> {
  ownPart ??= takePart();
  const first = await ownPart;
  for (;;) {
    const port = first + Math.floor(Math.random() * parts.size);
    if (given.has(port)) continue;
    given.add(port);
    const server = await listenOn(port);
    if (!server) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** The first port of a part that no other process has, until this one ends. */
async function takePart(): Promise<number> {
  for (let tried = 0; tried < parts.count; tried++) {
    const first = parts.from + ((process.pid + tried) % parts.count) * parts.size;
    const server = await listenOn(first);
    if (!server) continue;
    server.unref();
    given.add(first);
    return first;
  }
  throw new Error(`Something listens on the first port of each of ${parts.count} parts`);
}

/** Undefined where another program listens, at any address of this machine. */
function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, () => resolve(server));
  });
}
