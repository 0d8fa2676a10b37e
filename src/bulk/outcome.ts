// What came of sending one row: done, refused, unknown, not sent, or a sign that every other row will fare the same.

import type { Failure } from '../failure.ts';

export type Outcome<R> =
  | { readonly kind: 'done'; readonly record: R }
  /** Refused by the service, or by the checks before: it is as it was, and sending it again would change nothing. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** It was sent, and no response tells whether it was done. */
  | { readonly kind: 'unknown'; readonly failure: Failure }
  /** It surely never took effect, and may later. */
  | { readonly kind: 'unsent'; readonly failure: Failure }
  /** So will be every other one. */
  | { readonly kind: 'hopeless'; readonly failure: Failure };

/** What a thrown failure means to the row that was being sent. */
export function outcomeOfFailure(failure: Failure): Exclude<Outcome<never>, { kind: 'done' }> {
  const { changed, concerns, retry } = failure.meaning;
  if (concerns === 'account' || concerns === 'command') return { kind: 'hopeless', failure };
  if (changed === 'unknown') return { kind: 'unknown', failure };
  if (retry === 'soon') return { kind: 'unsent', failure };
  // A rate limit comes here only after it was waited for as long as allowed.
  return { kind: retry === 'later' ? 'hopeless' : 'failed', failure };
}
