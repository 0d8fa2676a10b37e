// A look-up that merely helps must not keep anybody from the change itself: where the service or the network fails it,
// or the token's scopes do not cover it, a warning says so.

import { Failure } from '../../failure.ts';
import type { Context } from '../context.ts';

/** Warns; throws what would stop the change as well. */
export async function warnUnlessFatal(context: Context, what: string, error: unknown): Promise<undefined> {
  if (!(error instanceof Failure) || !leavesChangePossible(error)) throw error;
  await context.report.warn(`${what}: ${error.sentence}`);
}

function leavesChangePossible({ meaning }: Failure): boolean {
  return meaning.concerns === 'record' || meaning.concerns === 'service';
}
