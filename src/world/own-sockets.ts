// The sockets that a library opens for one connection. It forgets the one to a server that accepts connections and says nothing, which
// would stay open for as long as that server likes, and keep the process alive.

import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

export interface OwnSockets {
  /** What this opens, also later, belongs to the connection. Each socket takes the place of the one before it. */
  run<T>(open: () => Promise<T>): Promise<T>;
  /** A function that closes the socket that is open now, even if another has taken its place by then. */
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
