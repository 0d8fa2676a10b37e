// Handles the requests of one connection in order, as the service does: each starts when the one before it has taken effect,
// even if that one's response is not sent yet. Connections do not wait for one another.

/** Runs `work` when the connection has no earlier request to handle. Any object can identify a connection. */
export type ConnectionQueue = <T>(connection: object, work: () => T | Promise<T>) => Promise<T>;

/** Usually a connection has one request at a time, which then costs no more than a look at `busy`. */
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
      // It stays busy for the next one, which may start after yet another request has arrived.
      if (next === undefined) line.busy = false;
      else next();
    }
  };
}
