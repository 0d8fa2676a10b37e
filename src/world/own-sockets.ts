// Tracks the sockets that a library opens for one connection. The library forgets the socket of a server that accepts and never
// responds, which would keep the process alive.

import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

export interface OwnSockets {
  /** Sockets that `open` opens, even later, belong to the connection. Each replaces the one before it. */
  run<T>(open: () => Promise<T>): Promise<T>;
  /** Returns a function that closes the current socket, even after another has replaced it. */
  current(): () => void;
  close(): void;
}

export function createOwnSockets(): OwnSockets {
  const own = new AsyncLocalStorage<true>();
  let last: Socket | undefined;
  const note = (message: unknown) => {
    if (own.getStore() === undefined) return;
    last?.destroy();
    last = socketOf(message);
  };
  subscribe(channel, note);
  return {
    run: (open) => own.run(true, open),
    current() {
      const socket = last;
      return () => void socket?.destroy();
    },
    close() {
      unsubscribe(channel, note);
      last?.destroy();
    },
  };
}

const channel = 'net.client.socket';

function socketOf(message: unknown): Socket | undefined {
  const { socket } = Object(message);
  return socket instanceof Socket ? socket : undefined;
}
