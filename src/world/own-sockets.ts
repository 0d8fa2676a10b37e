// Tracks the sockets that a library opens for one connection. The library forgets the socket of a server that accepts and never
// responds, which would keep the process alive.

import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

export type OwnSockets = ReturnType<typeof createOwnSockets>;

export function createOwnSockets() {
  const ownContext = new AsyncLocalStorage<true>();
  let currentSocket: Socket | undefined;
  const onSocket = (message: unknown) => {
    if (ownContext.getStore() === undefined) return;
    currentSocket?.destroy();
    currentSocket = socketOf(message);
  };
  subscribe(channel, onSocket);
  return {
    /** Sockets that `open` opens, even later, belong to the connection. Each replaces the previous socket. */
    run: <T>(open: () => Promise<T>) => ownContext.run(true, open),
    /** Returns a function that closes the current socket, even after another has replaced it. */
    current() {
      const socket = currentSocket;
      return () => void socket?.destroy();
    },
    close() {
      unsubscribe(channel, onSocket);
      currentSocket?.destroy();
    },
  };
}

const channel = 'net.client.socket';

function socketOf(message: unknown): Socket | undefined {
  const { socket } = Object(message);
  return socket instanceof Socket ? socket : undefined;
}
