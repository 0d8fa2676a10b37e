// Rows of one id go one after the other, in the order of the input: the last value said is the one that stays.

export interface KeyedQueue {
  /** Nothing where nobody is before; else resolves when the one before has left. */
  acquire(id: string): Promise<void> | undefined;
  /** To be called once by everyone who took a turn. */
  release(id: string): void;
}

export function createKeyedQueue(): KeyedQueue {
  // Most ids come once, and then nobody waits.
  const waiting = new Map<string, (() => void)[]>();
  return {
    acquire(id) {
      const others = waiting.get(id);
      if (others) return new Promise((resolve) => others.push(resolve));
      waiting.set(id, []);
      return undefined;
    },
    release(id) {
      const next = waiting.get(id)?.shift();
      if (next) next();
      else waiting.delete(id);
    },
  };
}
