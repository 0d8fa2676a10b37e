// What is known of the outcome of an update that has failed, and what is said where that is nothing.

import { Failure, type FailureCode } from '../../failure.ts';

const changesNothing: readonly FailureCode[] = [
  'refused',
  'forbidden',
  'not_found',
  'sign_in_needed',
  'rate_limited',
  'network',
  'server',
];

/** True where it is certain that the update was not made. */
export function changedNothing({ code }: Failure): boolean {
  return changesNothing.includes(code);
}

export function outcomeKnown<T>(id: string, sending: Promise<T>): Promise<T> {
  return sending.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'outcome_unknown') throw error;
    throw new Failure('outcome_unknown', {
      what: `The update of ${id} was sent, and no answer tells whether it was made`,
      why: error.why,
      hint: `See how the task is now: wm task get ${id}\nAn update can be repeated: sending it again does no harm.`,
      cause: error,
    });
  });
}
