// Handles a creation with an unknown outcome. A retry could create the record twice, since the service has no idempotency key. So
// the error lists candidates for the lost record, and the user decides.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { commandHint, Failure, type Hint } from '#failure.ts';

/** A record that may be the lost record. */
interface Candidate {
  readonly id: string;
  /** When it was created, as the service writes it. */
  readonly createdDate?: string | undefined;
}

export interface Creation {
  /** `task` */
  readonly noun: string;
  /** What a candidate has in common with the lost record: `this title in folder IEAAAAAQI4AB5FLD`. */
  readonly trait: string;
  readonly find: () => Promise<readonly Candidate[]>;
  /** The command that lists all candidates, if there is one: words, operands and flags. */
  readonly look?: readonly [words: string, operands: readonly string[], ...flags: string[]];
}

const maxListed = 5;

/** The result of `sending`. Throws its failure, with the candidates if the response was lost. */
export async function withCandidates<T>(context: Context, creation: Creation, sending: Promise<T>) {
  try {
    return await sending;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'outcome_unknown') throw error;
    // The outcome matters more than a failed look-up.
    const candidates = await creation.find().catch(() => undefined);
    throw new Failure('outcome_unknown', {
      message: `The outcome of creating the ${creation.noun} is unknown: the request was sent, but no usable response came`,
      why: error.why,
      hint: howToFindOut(context, creation, candidates),
      cause: error,
    });
  }
}

function howToFindOut(
  context: Context,
  { noun, trait, look }: Creation,
  candidates: readonly Candidate[] | undefined,
): Hint {
  const hint = (text: string): Hint =>
    look === undefined ? text : commandHint(`${text}: `, formatCommandWith(context, ...look));
  if (candidates === undefined) return hint('Look for it before you send it again');
  const count = candidates.length;
  if (count === 0)
    return hint(
      `No ${noun} has ${trait} now: it was not created, unless it appears later.\nLook again before you send it again`,
    );
  // The newest are the most likely.
  const newest = candidates
    .toSorted((a, b) => (b.createdDate ?? '').localeCompare(a.createdDate ?? ''))
    .slice(0, maxListed)
    .map(({ id, createdDate }) => (createdDate === undefined ? id : `${id} (${createdDate})`));
  const more = count > maxListed ? `, and ${count - maxListed} more` : '';
  const subject = count === 1 ? `One ${noun} has` : `${count} ${noun}s have`;
  return hint(
    `${subject} ${trait}, created now or earlier: ${newest.join(', ')}${more}\nCheck before you send it again`,
  );
}
