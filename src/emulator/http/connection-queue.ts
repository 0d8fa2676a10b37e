// Has the requests of one connection worked out one after the other, as the service does: each begins when the one
// before it has had its effect, so that it finds what that one has changed. Whether its answer is sent by then is
// another matter, and other connections wait for nothing.

/** Runs the work of a request when its connection has none before it. Whatever names a connection does. */
export type ConnectionQueue = <T>(connection: object, work: () => T | Promise<T>) => Promise<T>;

/** Mostly there is one request at a time, and nothing but looking at this is done for it. */
interface PendingRequests {
  busy: boolean;
  readonly waiting: (() => void)[];
}

export function createConnectionQueue(): ConnectionQueue {
  const lines = new WeakMap<object, PendingRequests>();

  function lineOf(connection: object): PendingRequests {
    const known = lines.get(connection);
    if (known !== undefined) return known;
    const line: PendingRequests = { busy: false, waiting: [] };
    lines.set(connection, line);
    return line;
  }

  return async (connection, work) => {
    const line = lineOf(connection);
    if (line.busy) await new Promise<void>((begin) => line.waiting.push(begin));
    line.busy = true;
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      // It stays busy for who is next, even if another one comes before that one has begun.
      if (next === undefined) line.busy = false;
      else next();
    }
  };
}
