// Handles the requests of one connection in order, as the service does: each starts when the previous request has taken effect, even
// if its response is not sent yet. Connections do not wait for each other.

export function createConnectionQueues() {
  /** The requests that wait, of each connection with a request that has not taken effect. */
  const waiting = new WeakMap<object, (() => void)[]>();
  return {
    /** Undefined if the request may start now, which is the usual case and cheap; otherwise resolves when it may start. */
    acquire(connection: object) {
      const queue = waiting.get(connection);
      if (queue !== undefined) return new Promise<void>((begin) => queue.push(begin));
      waiting.set(connection, []);
      return undefined;
    },
    /** Call it when the request has taken effect. */
    release(connection: object) {
      const next = waiting.get(connection)?.shift();
      // The queue stays: another request may arrive before the next one starts.
      if (next === undefined) waiting.delete(connection);
      else next();
    },
  };
}
