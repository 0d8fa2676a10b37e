// Turns the failure of an optional look-up into a warning: it must not prevent the change, unless that would fail too.

import { Failure } from '#failure.ts';
import type { Context } from './context.ts';

/** Warns, or throws a failure that would also stop the change. */
export async function warnUnlessFatal(context: Context, problem: string, error: unknown): Promise<undefined> {
  if (!(error instanceof Failure) || !['record', 'service'].includes(error.meaning.concerns)) throw error;
  await context.report.warn(`${problem}: ${error.sentence}`);
}
