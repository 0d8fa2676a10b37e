// Signals that come when a test says so, to whoever listens then.

import assert from 'node:assert/strict';
import { createWorld } from '#world/create-world.ts';
import type { Interruption } from '#world/world.ts';

export function handSignals() {
  const listeners = new Set<(signal: Interruption) => void>();
  return {
    listeners,
    interrupt(signal: Interruption = 'SIGINT') {
      assert.equal(listeners.size, 1, 'nobody listens, so that the process would be gone');
      for (const listener of listeners) listener(signal);
    },
    process: {
      ...createWorld().process,
      onInterrupt(listener: (signal: Interruption) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}
