// What is said where the outcome of an update is not known.

import { Failure } from '../../failure.ts';

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
