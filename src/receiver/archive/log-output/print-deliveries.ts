// Prints the selected deliveries of `webhook log` in parts, as they are read: a million deliveries do not fit into memory. And prints
// what is missing: deliveries that were dropped, requests that were not stored, times without a receiver.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { formatLocalTime } from '#dates/local-time.ts';
import { usageError } from '#failure.ts';
import type { Rejection, RejectionReason } from '#receiver/core/intake/delivery-journal.ts';
import type { Report, ReportedRecords } from '#terminal/report.ts';
import type { Column } from '#terminal/table.ts';
import { gather, type Query } from '../deliveries/collect-deliveries.ts';
import {
  deliveryListColumns,
  deliveryPipeColumns,
  isoTime,
  toDeliveryJson,
} from '../deliveries/delivery-columns.ts';
import type { Titles } from '../deliveries/delivery-summary.ts';
import type { LoggedDelivery } from '../deliveries/logged-delivery.ts';
import { type ReceiverGap, readGaps } from '../deliveries/receiver-runs.ts';
import { describeReasons } from '../deliveries/rejection-reasons.ts';
import type { JournalDamage } from '../deliveries/select-deliveries.ts';

/**
 * `follow`: more will follow, so JSON has an object on each line. `long`: show all members on a terminal. Resolves to the number of
 * deliveries.
 */
export async function printDeliveries(
  { report, world }: Pick<Context, 'report' | 'world'>,
  parts: Query['parts'],
  titles: Pick<Titles, 'find'>,
  { follow, long }: { readonly follow?: boolean; readonly long?: boolean },
  onPart: () => void,
): Promise<number> {
  const { isTerminal } = world.streams.output;
  const columns = isTerminal ? deliveryListColumns(titles) : deliveryPipeColumns(titles);
  const toShown = (records: readonly LoggedDelivery[]): ReportedRecords<LoggedDelivery> => ({
    columns,
    records,
    raw: report.wantsJson ? records.map((delivery) => toDeliveryJson(delivery, titles)) : [],
  });
  let count = 0;
  async function* inParts() {
    for await (const part of parts) {
      onPart();
      count += part.length;
      for (let at = 0; at < part.length; at += perPart) yield toShown(part.slice(at, at + perPart));
    }
  }
  // A table needs all rows to compute the widths of its columns.
  if (isTerminal && !report.wantsJson) {
    const deliveries = await gather(parts);
    await report.list({ ...toShown(deliveries), isOneLine: !long, mayBeLong: true });
    return deliveries.length;
  }
  if (!report.wantsJson || !follow) await report.parts(inParts());
  else for await (const part of inParts()) await report.each(part);
  return count;
}

/** The text of a million deliveries would exceed the length of a string. */
const perPart = 1_000;

const gapColumns = (format: (time: number) => string): readonly Column<ReceiverGap>[] => [
  { title: 'from', cell: ({ from }) => format(from), unbroken: true },
  { title: 'to', cell: ({ to }) => (to === undefined ? '' : format(to)), unbroken: true },
  { title: 'began', cell: ({ began }) => began },
];

export async function printGaps({ report, world }: Context, folder: string | undefined): Promise<void> {
  if (folder === undefined)
    throw usageError(
      '--gaps and --sink cannot be combined',
      'To see when no receiver responded, ask what monitors them: the load balancer, or the program that reads --metrics.',
      'a sink does not record when its receivers ran, and a killed receiver looks like an idle one',
    );
  const gaps = await readGaps(world, folder);
  const raw = gaps.map(({ from, to, began }) => ({
    from: isoTime(from),
    ...(to === undefined ? {} : { to: isoTime(to) }),
    began,
  }));
  const columns = gapColumns(world.streams.output.isTerminal ? formatLocalTime : isoTime);
  await report.list({ columns, records: gaps, raw, mayBeLong: true });
  if (gaps.length === 0) await report.info('No time without a receiver is recorded.');
}

export async function printUnknown(
  report: Pick<Report, 'info' | 'warn'>,
  { isComplete, found: { rejections, missing, damage, dropped } }: Query,
): Promise<void> {
  if (isComplete && dropped !== undefined && dropped.deliveries > 0)
    await report.info(
      `The listener has dropped ${countOf(dropped.deliveries, 'delivery', 'deliveries')}, by age or size; the last was #${dropped.last}, of ${formatLocalTime(dropped.until)}. They can no longer be shown.`,
    );
  for (const { from, to } of missing)
    await report.info(
      `${from === to ? `Delivery #${from} is` : `Deliveries #${from} to #${to} are`} missing: dropped, or damaged.`,
    );
  for (const entry of damage) await report.warn(describeDamage(entry));
  const summary = describeRejections(rejections);
  if (summary !== undefined) await report.info(summary);
}

/** `3 requests were not stored: 2 with a bad signature, 1 not a POST. The receiver responded with 503; the last came at 2026-11-22 14:31:07 (UTC+01:00).` */
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
  return `${countOf(total, 'request was', 'requests were')} not stored: ${describeReasons(reasons)}. The receiver responded with ${joinWithAnd(statuses)}; the last came at ${formatLocalTime(last.time)}.`;
}

export function describeRejection({ time, reason, status }: Rejection): string {
  return `${formatLocalTime(time)}  not stored: ${reason}, response ${status}`;
}

export function describeDamage({ file, offset, bytes, from }: JournalDamage): string {
  if (bytes === 0)
    return `${file} is empty: either wm was ended when it began this file, or its deliveries, from #${from ?? 1} on, are lost.`;
  return `Cannot read ${countOf(bytes, 'byte')} of ${file}, from byte ${offset} on: damaged. What they say about deliveries is lost.`;
}
