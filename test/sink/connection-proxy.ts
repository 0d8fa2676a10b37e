// Stands between two programs of a test, and passes on what they say, or not.

import { createConnection, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { listening } from '#test/support/service/listening.ts';
import { createChanges } from './bounded.ts';

export async function proxyFor(t: Pick<TestContext, 'after'>, to?: number) {
  const proxy = await startProxy(to);
  t.after(() => proxy.close());
  return proxy;
}

/** Without a server to pass connections on to, it is silent. */
export async function startProxy(to?: number) {
  let isRefusing = false;
  let isMuted = false;
  let isSilent = false;
  let heldFrom: string | undefined;
  let isHeld = false;
  let keptCount = 0;
  const { changed, until } = createChanges();
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  const track = (socket: Socket, sockets: Set<Socket>, other?: Socket) => {
    sockets.add(socket.setNoDelay(true).on('error', () => {}));
    socket.on('close', () => {
      sockets.delete(socket);
      other?.destroy();
    });
  };
  const server = createServer((client) => {
    if (isRefusing) return void client.destroy();
    if (isSilent || to === undefined) {
      track(client.resume(), clients);
      keptCount += 1;
      return changed();
    }
    const other = createConnection(to, '127.0.0.1');
    track(client, clients, other);
    track(other, servers, client);
    client.on('data', (piece) => {
      isHeld ||= heldFrom !== undefined && piece.includes(heldFrom);
      if (isHeld) changed();
      else other.write(piece);
    });
    other.pipe(client);
    if (isMuted) other.pause();
  });
  const port = await listening(server);
  const breakAll = () => {
    for (const socket of [...clients, ...servers]) socket.destroy();
  };
  return {
    port,
    /** Breaks all connections, and refuses new ones. */
    refuse() {
      isRefusing = true;
      breakAll();
    },
    accept() {
      isRefusing = false;
    },
    /** From now on what the server says is kept back, also to who connects meanwhile, until it may speak. */
    mute() {
      isMuted = true;
      for (const socket of servers) socket.pause();
    },
    unmute() {
      isMuted = false;
      for (const socket of servers) socket.resume();
    },
    /** From now on it takes no bytes of the connections that there are. True if there are any. */
    hang() {
      for (const socket of clients) socket.pause();
      return clients.size > 0;
    },
    /** From the request with this text on, nothing reaches the server. Resolves once it has come. */
    holdFrom(from: string) {
      heldFrom = from;
      return until(() => isHeld);
    },
    /** Breaks all connections, and keeps new ones without a word. */
    silence() {
      isSilent = true;
      breakAll();
    },
    /** Resolves once it keeps so many connections, or has kept them. */
    kept: (count: number) => until(() => keptCount >= count),
    close() {
      server.close();
      breakAll();
    },
  };
}
