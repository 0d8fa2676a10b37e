// Handles the requests of one connection in order, as the service does: each starts when the previous request has taken effect, even
// if its response is not sent yet. Connections do not wait for each other.

function createQueue() {
  const waiting: (() => void)[] = [];
  let isBusy = false;
  return {
    /** Undefined if the request may start now, which is the usual case and cheap; otherwise resolves when it may start. */
    acquire() {
      if (isBusy) return new Promise<void>((begin) => waiting.push(begin));
      isBusy = true;
      return undefined;
    },
    /** Call it when the request has taken effect. */
    release() {
      const next = waiting.shift();
      // The queue stays busy: another request may arrive before the next one starts.
      if (next === undefined) isBusy = false;
      else next();
    },
  };
}

export function createConnectionQueues() {
  const queues = new WeakMap<object, ReturnType<typeof createQueue>>();
  return (connection: object) => {
    const queue = queues.get(connection) ?? createQueue();
    queues.set(connection, queue);
    return queue;
  };
}
