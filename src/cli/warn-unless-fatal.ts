// Turns the failure of an optional look-up into a warning, so that it does not prevent the change: the network or the service
// failed, or the token lacks the scope.

import { Failure } from '#failure.ts';
import type { Context } from './context.ts';

/** Warns, or throws a failure that would also stop the change. */
export async function warnUnlessFatal(context: Context, problem: string, error: unknown): Promise<undefined> {
  if (!(error instanceof Failure) || !['record', 'service'].includes(error.meaning.concerns)) throw error;
  await context.report.warn(`${problem}: ${error.sentence}`);
}
