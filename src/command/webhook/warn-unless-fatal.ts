// A look-up that merely helps must not keep anybody from the change itself: where the service or the network fails it,
// or the token's scopes do not cover it, a warning says so.

import { Failure, type FailureCode } from '../../failure.ts';
import type { Context } from '../context.ts';

const toleratedCodes: readonly FailureCode[] = [
  'server',
  'network',
  'too_large',
  'forbidden',
  'rate_limited',
  'not_found',
  'bad_response',
];

/** Warns; throws what would stop the change as well. */
export async function warnUnlessFatal(context: Context, what: string, error: unknown): Promise<undefined> {
  if (!(error instanceof Failure) || !toleratedCodes.includes(error.code)) throw error;
  const { message, why } = error;
  await context.report.warn(`${what}: ${why ? `${message}: ${why}` : message}`);
}
