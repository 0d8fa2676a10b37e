// `webhook log --gaps`: lists the times in which no receiver ran. The journal lacks what the service sent then.

import type { Column } from '../../../terminal/table.ts';
import type { Context } from '../../context.ts';
import { isoTime } from '../deliveries/delivery-columns.ts';
import { type ReceiverGap, readGaps } from '../listen/receiver-runs.ts';

const gapColumns: readonly Column<ReceiverGap>[] = [
  { title: 'from', cell: ({ from }) => isoTime(from), unbroken: true },
  { title: 'to', cell: ({ to }) => (to === undefined ? '' : isoTime(to)), unbroken: true },
  { title: 'began', cell: ({ began }) => began },
];

/** In the order in which they began. */
export async function printGaps(
  { report, world }: Pick<Context, 'report' | 'world'>,
  folder: string,
): Promise<void> {
  const gaps = await readGaps(world, folder);
  const raw = gaps.map(({ from, to, began }) => ({
    from: isoTime(from),
    ...(to === undefined ? {} : { to: isoTime(to) }),
    began,
  }));
  await report.list({ columns: gapColumns, records: gaps, raw, mayBeLong: true });
  if (gaps.length === 0) await report.info('No time without a receiver is recorded.');
}
