// Whether the checks of a receiver show that deliveries would succeed. What could not be checked counts as not healthy, since nobody
// is there to judge.

import type { CheckResult } from '../verify/check-result.ts';
import type { VerifyTarget } from '../verify/receiver-target.ts';

/** Undefined if it is healthy. */
export function whyUnhealthy(
  results: readonly CheckResult[],
  { isSigned }: Pick<VerifyTarget, 'isSigned'>,
): string | undefined {
  const failed = results.find(({ outcome }) => outcome === 'fail');
  if (failed) return `its receiver fails a check (${describe(failed)})`;
  const unchecked = results.find(
    ({ check, outcome }) =>
      outcome === 'not-checked' &&
      (check === 'handshake' ? isSigned !== false : check.startsWith('event ') || check === 'events'),
  );
  if (unchecked) return `its receiver could not be checked (${describe(unchecked)})`;
  if (!results.some(({ check, outcome }) => outcome === 'ok' && check.startsWith('event ')))
    return 'its receiver accepted no sample';
  return undefined;
}

function describe({ check, why = 'no reason' }: CheckResult): string {
  return `${check}: ${why}`;
}
