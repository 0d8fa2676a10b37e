// Runs the work for one key in order: rows of one id are sent one after the other, so that the last one wins, as in the
// input.

export interface KeyedQueue {
  /** Undefined where nobody holds the key; else resolves once the one before has released it. */
  acquire(key: string): Promise<void> | undefined;
  /** Call it once for each `acquire`. */
  release(key: string): void;
}

/** Keys that nobody holds take no memory. */
export function createKeyedQueue(): KeyedQueue {
  const waiters = new Map<string, (() => void)[]>();
  return {
    acquire(key) {
      const others = waiters.get(key);
      if (others) return new Promise((resolve) => others.push(resolve));
      waiters.set(key, []);
      return undefined;
    },
    release(key) {
      const next = waiters.get(key)?.shift();
      if (next) next();
      else waiters.delete(key);
    },
  };
}
