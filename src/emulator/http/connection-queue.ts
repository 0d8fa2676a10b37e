// Handles the requests of one connection in order, as the service does: each starts when the one before it has taken effect,
// even if that one's response is not sent yet. Connections do not wait for one another.

/** The requests of one connection. Usually there is one at a time, which then costs no more than a look at whether it waits. */
export interface ConnectionQueue {
  /** Undefined if the request may start now; otherwise resolves when it may. */
  enter(): Promise<void> | undefined;
  /** The request that entered has taken effect. */
  leave(): void;
}

function createQueue(): ConnectionQueue {
  const waiting: (() => void)[] = [];
  let isBusy = false;
  return {
    enter() {
      if (isBusy) return new Promise((begin) => waiting.push(begin));
      isBusy = true;
      return undefined;
    },
    leave() {
      const next = waiting.shift();
      // It stays busy for the next one, which may start after yet another request has arrived.
      if (next === undefined) isBusy = false;
      else next();
    },
  };
}

export function createConnectionQueues(): (connection: object) => ConnectionQueue {
  const queues = new WeakMap<object, ConnectionQueue>();
  return (connection) => {
    const known = queues.get(connection);
    if (known !== undefined) return known;
    const queue = createQueue();
    queues.set(connection, queue);
    return queue;
  };
}
