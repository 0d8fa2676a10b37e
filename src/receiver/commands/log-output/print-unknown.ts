// Prints what `webhook log` adds to the deliveries: requests that were not stored, and deliveries that are missing.

import { countOf } from '#cli/count-of.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import type { Rejection, RejectionReason } from '#receiver/intake/delivery-journal.ts';
import type { Report } from '#terminal/report.ts';
import type { Collected, JournalDamage } from '../deliveries/collect-deliveries.ts';
import { isoTime } from '../deliveries/delivery-columns.ts';
import { describeReasons } from '../listening/rejection-words.ts';

type Incomplete = Pick<Collected, 'rejections' | 'missing' | 'damage' | 'isComplete' | 'dropped'>;

export async function printUnknown(
  report: Pick<Report, 'info' | 'warn'>,
  { rejections, missing, damage, isComplete, dropped }: Incomplete,
): Promise<void> {
  if (isComplete && dropped !== undefined && dropped.deliveries > 0)
    await report.info(
      `The listener has dropped ${countOf(dropped.deliveries, 'delivery', 'deliveries')}, by age or size; the last was #${dropped.last}, of ${isoTime(dropped.until)}. They can no longer be shown.`,
    );
  for (const { from, to } of missing)
    await report.info(
      `${from === to ? `Delivery #${from} is` : `Deliveries #${from} to #${to} are`} missing: dropped, or damaged.`,
    );
  for (const entry of damage) await report.warn(describeDamage(entry));
  const summary = describeRejections(rejections);
  if (summary !== undefined) await report.info(summary);
}

/** `3 requests were not stored: 2 with a bad signature, 1 not a POST. The receiver responded with 503; the last came at 2026-11-22T10:00:00Z.` */
function describeRejections(rejections: readonly Rejection[]): string | undefined {
  const last = rejections.at(-1);
  if (last === undefined) return undefined;
  const reasons: Partial<Record<RejectionReason, number>> = {};
  let total = 0;
  for (const { reason, leftOut = 0 } of rejections) {
    reasons[reason] = (reasons[reason] ?? 0) + 1 + leftOut;
    total += 1 + leftOut;
  }
  const statuses = [...new Set(rejections.map(({ status }) => String(status)))];
  return `${countOf(total, 'request was', 'requests were')} not stored: ${describeReasons(reasons)}. The receiver responded with ${joinWithAnd(statuses)}; the last came at ${isoTime(last.time)}.`;
}

export function describeRejection({ time, reason, status }: Rejection): string {
  return `${isoTime(time)}  not stored: ${reason}, response ${status}`;
}

export function describeDamage({ file, offset, bytes, from }: JournalDamage): string {
  if (bytes === 0)
    return `${file} is empty: either wm was ended when it began this file, or its deliveries, from #${from ?? 1} on, are lost.`;
  return `Cannot read ${countOf(bytes, 'byte')} of ${file}, from byte ${offset} on: damaged. What they say about deliveries is lost.`;
}
