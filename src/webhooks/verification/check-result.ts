// The result of one check of a receiver: the finding, why it matters and what to do.

import { omitUndefined } from '#omit-undefined.ts';

export interface CheckResult {
  /** The name of the check: `dns`, `handshake`, `event TaskCreated`. */
  readonly check: string;
  readonly outcome: CheckOutcome;
  /** The finding in words; for a failed check, the consequence. */
  readonly why?: string;
  readonly fix?: string;
  readonly ms?: number;
}

/** `fail`: deliveries would fail. `warning`: deliveries would succeed, but something should change. */
export type CheckOutcome = 'ok' | 'warning' | 'fail' | 'not-checked';

export interface Problem {
  readonly why: string;
  readonly fix?: string;
}

export function passed(check: string, why?: string): CheckResult {
  return { check, outcome: 'ok', ...omitUndefined({ why }) };
}

export function failed(check: string, problem: Problem): CheckResult {
  return { check, outcome: 'fail', ...problem };
}

export function warned(check: string, problem: Problem): CheckResult {
  return { check, outcome: 'warning', ...problem };
}

export function notChecked(check: string, why: string, fix?: string): CheckResult {
  return { check, outcome: 'not-checked', why, ...omitUndefined({ fix }) };
}

export function describeFinding({ check, why = 'no reason' }: CheckResult): string {
  return `${check}: ${why}`;
}
