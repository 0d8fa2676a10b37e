// Prints a paged list as it arrives, up to the limit, and explains an empty list.

import type { Pages } from '#client/follow-pages.ts';
import type { Column } from '#terminal/table.ts';
import type { Context } from './context.ts';
import { countOf } from './count-of.ts';
import { booleanFlag, integerFlag } from './flags/flag.ts';
import { printPages } from './print-pages.ts';

export const limitFlag = integerFlag('N', 'Print at most this many', 1, 1_000_000_000);

/** For lists with one line for each record. */
export const longFlag = booleanFlag('Print all of each record on a terminal, over several lines if need be');

export interface ListOptions<R, Row> {
  readonly columns: readonly Column<Row>[];
  /** The lines of a record, if it has several. JSON always has the record. */
  readonly toRows: (record: R) => readonly Row[];
  /** A filter that wm applies, because the contract does not give the service one. */
  readonly accepts?: (record: R) => boolean;
  readonly limit: number | undefined;
  /** Prints everything about each record, on several lines if necessary. */
  readonly long: boolean | undefined;
  /** Singular and plural of the records: `entry`, `entries`. */
  readonly thing: readonly [singular: string, plural: string];
  /** The message for an empty list: `No custom fields.` */
  readonly none: string;
}

export async function printList<R, Row>(
  context: Pick<Context, 'report' | 'world'>,
  pages: Pages<R>,
  {
    columns,
    toRows,
    accepts = () => true,
    limit,
    long,
    thing: [singular, plural],
    none,
  }: ListOptions<R, Row>,
): Promise<void> {
  const { read, printed } = await printPages(context, pages, {
    things: plural,
    toTable: (records) => ({ columns, records: records.flatMap(toRows), isOneLine: !long }),
    matches: accepts,
    limit,
  });
  if (printed === 0)
    await context.report.info(read === 0 ? none : `None of ${countOf(read, singular, plural)} matches.`);
}
