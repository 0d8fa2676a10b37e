// Names that are not found, with those that may have been meant, and names that several have.

import { didYouMean } from '../../../contract/near.ts';
import { shown } from '../../../contract/value.ts';
import { type Failure, usage } from '../../../failure.ts';

/** `what` is `a custom field`, `seeAll` says where all of them are. */
export function notFound(flag: string, name: string, what: string, candidates: readonly string[]): Failure {
  const hint =
    didYouMean(name, candidates, shown) ??
    (candidates.length > 0 && candidates.length <= 20
      ? `There are: ${candidates.join(', ')}`
      : `None of the ${candidates.length} that you can see is like it.`);
  return usage(`--${flag}: ${shown(name)} is not ${what}`, hint);
}

/** Several have this name; each candidate is told with what tells it apart. */
export function ambiguous(flag: string, name: string, what: string, candidates: readonly string[]): Failure {
  return usage(
    `--${flag}: ${shown(name)} is the name of ${candidates.length} ${what}`,
    `Say which by its id:\n${candidates.map((one) => `  ${one}`).join('\n')}`,
  );
}
