// Prints the selected deliveries of `webhook log`. The text of a million deliveries exceeds the length of a string, so it is written in
// parts.

import type { Context } from '#cli/context.ts';
import { usageError } from '#failure.ts';
import type { ReportedRecords } from '#terminal/report.ts';
import type { Column } from '#terminal/table.ts';
import {
  deliveryListColumns,
  deliveryPipeColumns,
  isoTime,
  toDeliveryJson,
} from '../deliveries/delivery-columns.ts';
import type { LoggedDelivery } from '../deliveries/logged-delivery.ts';
import type { Titles } from '../listening/delivery-summary.ts';
import { type ReceiverGap, readGaps } from '../listening/receiver-runs.ts';

const perPart = 1_000;

/** `follow`: more will follow, so JSON has an object on each line. `long`: show all members on a terminal. */
export async function printDeliveries(
  { report, world }: Pick<Context, 'report' | 'world'>,
  deliveries: readonly LoggedDelivery[],
  titles: Pick<Titles, 'find'>,
  { follow, long }: { readonly follow?: boolean; readonly long?: boolean },
): Promise<void> {
  const { isTerminal } = world.streams.output;
  const columns = isTerminal ? deliveryListColumns(titles) : deliveryPipeColumns(titles);
  const toShown = (records: readonly LoggedDelivery[]): ReportedRecords<LoggedDelivery> => ({
    columns,
    records,
    raw: report.wantsJson ? records.map((delivery) => toDeliveryJson(delivery, titles)) : [],
  });
  async function* inParts() {
    for (let at = 0; at < deliveries.length; at += perPart) yield toShown(deliveries.slice(at, at + perPart));
  }
  // A table needs all rows to compute the widths of its columns.
  if (isTerminal && !report.wantsJson)
    return report.list({ ...toShown(deliveries), isOneLine: !long, mayBeLong: true });
  if (!report.wantsJson || !follow) return report.parts(inParts());
  for await (const part of inParts()) await report.each(part);
}

const gapColumns: readonly Column<ReceiverGap>[] = [
  { title: 'from', cell: ({ from }) => isoTime(from), unbroken: true },
  { title: 'to', cell: ({ to }) => (to === undefined ? '' : isoTime(to)), unbroken: true },
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
  await report.list({ columns: gapColumns, records: gaps, raw, mayBeLong: true });
  if (gaps.length === 0) await report.info('No time without a receiver is recorded.');
}
