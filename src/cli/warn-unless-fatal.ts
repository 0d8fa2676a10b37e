// A look-up that is only a convenience must not prevent the change itself: if the network or the service fails, or the
// token lacks the scope, it prints a warning.

import { Failure } from '#failure.ts';
import type { Context } from './context.ts';

/** Warns; throws what would stop the change as well. */
export async function warnUnlessFatal(context: Context, what: string, error: unknown): Promise<undefined> {
  if (!(error instanceof Failure) || !leavesChangePossible(error)) throw error;
  await context.report.warn(`${what}: ${error.sentence}`);
}

function leavesChangePossible({ meaning }: Failure): boolean {
  return meaning.concerns === 'record' || meaning.concerns === 'service';
}
