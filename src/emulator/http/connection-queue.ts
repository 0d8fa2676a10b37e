// Handles the requests of one connection in order, as the service does: each starts when the previous request has taken effect, even
// if its response is not sent yet. Connections do not wait for each other.

interface ConnectionQueue {
  /** Undefined if the request may start now, which is the usual case and cheap; otherwise resolves when it may start. */
  acquire(): Promise<void> | undefined;
  /** Call when the request has taken effect. */
  release(): void;
}

function createQueue(): ConnectionQueue {
  const waiting: (() => void)[] = [];
  let isBusy = false;
  return {
    acquire() {
      if (isBusy) return new Promise((begin) => waiting.push(begin));
      isBusy = true;
      return undefined;
    },
    release() {
      const next = waiting.shift();
      // The queue stays busy: another request may arrive before the next one starts.
      if (next === undefined) isBusy = false;
      else next();
    },
  };
}

export function createConnectionQueues(): (connection: object) => ConnectionQueue {
  const queues = new WeakMap<object, ConnectionQueue>();
  return (connection) => {
    const existing = queues.get(connection);
    if (existing !== undefined) return existing;
    const queue = createQueue();
    queues.set(connection, queue);
    return queue;
  };
}
