// Ctrl-C ends a command at once, and says whether something may have been changed.

import { Failure } from '../failure.ts';
import type { Context } from './context.ts';

/** Rejects with a {@link Failure} when the person interrupts; what was running is then nobody's any more. */
export async function untilInterrupted<T>(context: Context, running: Promise<T>): Promise<T> {
  let ignore = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    ignore = context.world.process.onInterrupt(() => {
      const change = context.pendingChange();
      reject(
        new Failure('interrupted', {
          what: 'Interrupted',
          why:
            change === undefined
              ? 'nothing was being changed'
              : `${change} had been sent; whether it was done is not known`,
        }),
      );
    });
  });
  try {
    return await Promise.race([running, interrupted]);
  } finally {
    ignore();
  }
}
