// Prints a list that comes in pages, while it comes: as many records as are wanted, and, where there are none, why.

import type { Pages } from '#client/follow-pages.ts';
import type { Column } from '#terminal/table.ts';
import type { Context } from './context.ts';
import { booleanFlag, integerFlag } from './flags/flag.ts';
import { printPages } from './print-pages.ts';

export const limitFlag = integerFlag('N', 'Print at most this many', 1, 1_000_000_000);

/** Of the lists that have one line for each record. */
export const longFlag = booleanFlag('Print all of each record on a terminal, over several lines if need be');

export interface ListOptions<R, Row> {
  readonly columns: readonly Column<Row>[];
  /** The lines of a record, where they are not the record itself. JSON has the record. */
  readonly toRows: (record: R) => readonly Row[];
  /** A filter that wm applies, since the service is not known to have it. */
  readonly accepts?: (record: R) => boolean;
  readonly limit: number | undefined;
  /** All of each record, over several lines if need be. */
  readonly long: boolean | undefined;
  /** What is listed, one and several: `entry`, `entries`. */
  readonly thing: readonly [one: string, several: string];
  /** Where the service found none: `No custom fields.` */
  readonly none: string;
}

export async function printList<R, Row>(
  context: Pick<Context, 'report' | 'world'>,
  pages: Pages<R>,
  { columns, toRows, accepts = () => true, limit, long, thing: [one, several], none }: ListOptions<R, Row>,
): Promise<void> {
  const { read, printed } = await printPages(context, pages, {
    things: several,
    toTable: (found) => ({ columns, records: found.flatMap(toRows), isOneLine: !long }),
    matches: accepts,
    limit,
  });
  if (printed === 0)
    await context.report.info(read === 0 ? none : `None of ${read} ${read === 1 ? one : several} matches.`);
}
