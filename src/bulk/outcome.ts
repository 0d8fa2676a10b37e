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
  switch (failure.code) {
    case 'rejected':
    case 'forbidden':
    case 'not_found':
    case 'usage':
    case 'bad_response':
      return { kind: 'failed', failure };
    case 'outcome_unknown':
      return { kind: 'unknown', failure };
    case 'network':
    case 'server':
      return { kind: 'unsent', failure };
    default:
      return { kind: 'hopeless', failure };
  }
}

/** Why a row was not done, in one line. */
export function failureSentence({ message, why }: Failure): string {
  return why ? `${message}: ${why}` : message;
}
