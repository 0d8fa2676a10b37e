// Signals that come when a test says so, to whoever listens then.

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { createWorld } from '#world/create-world.ts';
import type { Interruption } from '#world/world.ts';

/** A test may change the working folder. */
const program = resolve('bin/wm.js');

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
      self: [process.execPath, program] as const,
      // They come through `interrupt` only.
      ignoreHangup: () => () => {},
      onInterrupt(listener: (signal: Interruption) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}
