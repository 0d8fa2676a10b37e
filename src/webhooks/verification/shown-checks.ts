// Formats the checks of a receiver. On a terminal, finding and fix share a column, so that the table fits a narrow screen.

import type { Column } from '#terminal/table.ts';
import type { CheckResult } from './check-result.ts';

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
export function withoutRepeats(
  results: readonly CheckResult[],
  checkByReason = new Map<string, string>(),
): readonly CheckResult[] {
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
