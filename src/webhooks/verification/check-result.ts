// The result of one check of a receiver: the finding, why it matters and what to do. On a terminal, finding and fix share a column, so
// that the table fits a narrow screen.

import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';

export interface CheckResult {
  /** The name of the check: `dns`, `handshake`, `event TaskCreated`. */
  readonly check: string;
  /** `fail`: deliveries would fail, or anyone could forge one. `warning`: deliveries would succeed, but something should change. */
  readonly outcome: 'ok' | 'warning' | 'fail' | 'not-checked';
  /** The finding in words; for a failed check, the consequence. */
  readonly why?: string;
  readonly fix?: string;
  readonly ms?: number;
  /** Of the response that made the check fail. */
  readonly status?: number;
}

export type Problem = Pick<CheckResult, 'fix' | 'status'> & { readonly why: string };

export const fixes = {
  secret: "Give the receiver the webhook's secret, or give wm the secret that the webhook was created with.",
  slow: 'Respond first, and process the event afterwards.',
  bodyLimit:
    'Raise the limit on the body: client_max_body_size in nginx, limit in body parsers such as that of Express.',
  duplicate: 'Respond to a duplicate as to the first delivery, with a 2xx.',
  contentType: 'Accept application/json, or read the body whatever its content type is.',
} as const;

export function passed(check: string, why?: string, ms?: number): CheckResult {
  return { check, outcome: 'ok', ...omitUndefined({ why, ms }) };
}

const problemAs = (outcome: 'fail' | 'warning') => (check: string, problem: Problem, ms?: number) => ({
  check,
  outcome,
  ...problem,
  ...omitUndefined({ ms }),
});
export const failed = problemAs('fail');
export const warned = problemAs('warning');

export function notChecked(check: string, why: string, fix?: string): CheckResult {
  return { check, outcome: 'not-checked', why, ...omitUndefined({ fix }) };
}

export const describeFinding = ({ check, why = 'no reason' }: CheckResult): string => `${check}: ${why}`;

const checkColumn: Column<CheckResult> = { title: 'check', cell: ({ check }) => check };
const resultColumn: Column<CheckResult> = {
  title: 'result',
  cell: ({ outcome }) => outcome,
  format: ({ outcome }, style) =>
    ({ ok: style.good, warning: style.notice, fail: style.bad, 'not-checked': style.notice })[outcome],
};

export const checkColumns: readonly Column<CheckResult>[] = [
  checkColumn,
  resultColumn,
  { title: 'ms', cell: ({ ms }) => (ms === undefined ? '' : String(ms)) },
  { title: 'why', cell: ({ why }) => why ?? '' },
  { title: 'fix', cell: ({ fix }) => fix ?? '' },
];

const words = { ok: 'ok', warning: 'warning', fail: 'fail', 'not-checked': 'not checked' } as const;

export const shownCheckColumns: readonly Column<CheckResult>[] = [
  checkColumn,
  { ...resultColumn, cell: ({ outcome }) => words[outcome], unbroken: true },
  { title: 'details', cell: describeDetails },
];

/** Replaces a repeated reason by the name of the check that gave it first. `checkByReason`: the reasons so far. */
export function withoutRepeats(results: readonly CheckResult[], checkByReason = new Map<string, string>()) {
  return results.map((result) => {
    const { fix: _, ...rest } = result;
    const { check, outcome, why } = rest;
    if (outcome !== 'fail' || why === undefined) return result;
    const earlier = checkByReason.get(why);
    if (earlier === undefined) checkByReason.set(why, check);
    return earlier === undefined ? result : { ...rest, why: `see ${earlier}` };
  });
}

/** `fail: a redirect. Create the webhook with the URL at which the redirect ends.` */
export function describeCheck(result: CheckResult): string {
  const details = describeDetails(result);
  return details === '' ? words[result.outcome] : `${words[result.outcome]}: ${details}`;
}

function describeDetails({ outcome, why, fix, ms }: CheckResult): string {
  const time = ms === undefined || outcome !== 'ok' ? [] : [`${ms} ms`];
  const finding = [...(why === undefined ? [] : [why]), ...time].join(', ');
  return [finding, fix ?? ''].filter(Boolean).join('. ');
}
