// The result of one check of a receiver: the finding, why it matters and what to do.

export interface CheckResult {
  /** The name of the check: `dns`, `handshake`, `event TaskCreated`. */
  readonly check: string;
  readonly outcome: CheckOutcome;
  /** The finding in words; for a failed check, the consequence. */
  readonly why?: string;
  readonly fix?: string;
  /** How long the receiver took to respond. */
  readonly ms?: number;
}

/** `fail`: deliveries would fail. `warning`: deliveries would succeed, but something should change. */
export type CheckOutcome = 'ok' | 'warning' | 'fail' | 'not-checked';

/** A problem and its fix. */
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

export function describeFinding({ check, why = 'no reason' }: CheckResult): string {
  return `${check}: ${why}`;
}
