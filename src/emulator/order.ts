// Has the requests of one connection worked out one after the other, as the service does: each begins when the one
// before it has had its effect, so that it finds what that one has changed. Whether its answer is sent by then is
// another matter, and other connections wait for nothing.

/** Runs the work of a request when its connection has none before it. Whatever names a connection does. */
export type Order = <T>(connection: object, work: () => T | Promise<T>) => Promise<T>;

const nothing = () => undefined;

export function createOrder(): Order {
  const ready = Promise.resolve();
  /** By connection, the end of the last work that was asked for. */
  const ends = new WeakMap<object, Promise<void>>();
  return (connection, work) => {
    const own = (ends.get(connection) ?? ready).then(work);
    ends.set(connection, own.then(nothing, nothing));
    return own;
  };
}
