// Ctrl-C ends a command at once, and says whether something may have been changed.

import type { Changes } from '../client/ledger.ts';
import { Failure } from '../failure.ts';
import type { Context } from './context.ts';

/** Rejects with a {@link Failure} when the person interrupts; what was running is then nobody's any more. */
export async function untilInterrupted<T>(context: Context, running: Promise<T>): Promise<T> {
  let ignore = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    ignore = context.world.process.onInterrupt(() => {
      reject(new Failure('interrupted', { what: 'Interrupted', why: whatWasDone(context.changes()) }));
    });
  });
  try {
    return await Promise.race([running, interrupted]);
  } finally {
    ignore();
  }
}

function whatWasDone({ made, unknown }: Changes): string {
  const parts = [
    ...(unknown.length > 0 ? [`${unknown.join(', ')} had been sent; whether it was done is not known`] : []),
    ...(made.length > 0 ? [`${made.join(', ')} had been done`] : []),
  ];
  return parts.join('; ') || 'nothing had been changed';
}
