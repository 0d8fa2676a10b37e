// The result of one check of a receiver: what was found, why it matters and what to do.

export interface CheckResult {
  /** What was checked: `dns`, `handshake`, `event TaskCreated`. */
  readonly check: string;
  readonly outcome: CheckOutcome;
  /** What was found, in words; for a failed check, what would happen. */
  readonly why?: string;
  readonly fix?: string;
  /** How long the receiver took. */
  readonly ms?: number;
}

/** `fail`: deliveries would fail. `warning`: they would not, but something should change. */
export type CheckOutcome = 'ok' | 'warning' | 'fail' | 'not-checked';

/** What is wrong, and what to do about it. */
export interface Problem {
  readonly why: string;
  readonly fix?: string;
}

export const passed = (check: string, why?: string): CheckResult => ({
  check,
  outcome: 'ok',
  ...(why === undefined ? {} : { why }),
});

export const failed = (check: string, problem: Problem): CheckResult => ({
  check,
  outcome: 'fail',
  ...problem,
});

export const warned = (check: string, problem: Problem): CheckResult => ({
  check,
  outcome: 'warning',
  ...problem,
});

export const notChecked = (check: string, why: string, fix?: string): CheckResult => ({
  check,
  outcome: 'not-checked',
  why,
  ...(fix === undefined ? {} : { fix }),
});

export function hasFailed(results: readonly CheckResult[]): boolean {
  return results.some(({ outcome }) => outcome === 'fail');
}
