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

/** The fixes that several checks suggest. */
export const fixes = {
  secret: "Give the receiver the webhook's secret, or give wm the secret that the webhook was created with.",
  slow: 'Respond first, and process the event afterwards.',
  bodyLimit:
    'Raise the limit on the body: client_max_body_size in nginx, limit in body parsers such as that of Express.',
  duplicate: 'Respond to a duplicate as to the first delivery, with a 2xx.',
  contentType: 'Accept application/json, or read the body whatever its content type is.',
} as const;

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
