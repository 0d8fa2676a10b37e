// Stands between two programs of a test, and passes on what they say, or not.

import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { listening } from '../listening.ts';

export interface Proxy {
  readonly port: number;
  refuse(): void;
  accept(): void;
  /** From now on what the server says is kept back, also to who connects meanwhile, until it may speak. */
  mute(): void;
  unmute(): void;
  close(): void;
}

/** Passes connections on, or breaks all of them and refuses new ones. */
export async function startProxy(to: number): Promise<Proxy> {
  let isRefusing = false;
  let isMuted = false;
  const sockets = new Set<Socket>();
  const fromServer = new Set<Socket>();
  const server: Server = createServer((client) => {
    if (isRefusing) return void client.destroy();
    const other = createConnection(to, '127.0.0.1');
    fromServer.add(other);
    other.on('close', () => fromServer.delete(other));
    for (const [from, into] of [
      [client, other],
      [other, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.pipe(into);
      if (isMuted && from === other) from.pause();
      from.on('error', () => into.destroy());
      from.on('close', () => {
        sockets.delete(from);
        into.destroy();
      });
    }
  });
  const port = await listening(server);
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    refuse() {
      isRefusing = true;
      breakAll();
    },
    accept() {
      isRefusing = false;
    },
    mute() {
      isMuted = true;
      for (const socket of fromServer) socket.pause();
    },
    unmute() {
      isMuted = false;
      for (const socket of fromServer) socket.resume();
    },
    close() {
      server.close();
      breakAll();
    },
  };
}
