// Prints a list page by page as it arrives. Filters it, stops at --limit or when the reader has gone (`| head -1`), shows progress
// on a terminal if it takes long, and explains an empty list.

import type { Pages } from '#client/follow-pages.ts';
import type { ReportedRecords } from '#terminal/report.ts';
import type { Column } from '#terminal/table.ts';
import type { Context } from './context.ts';
import { countOf, formatCount } from './count-of.ts';
import { booleanFlag, integerFlag } from './flags/flag.ts';
import { startProgress } from './timed-progress.ts';

export const limitFlag = integerFlag('N', 'Print at most this many', 1, 1_000_000_000);
/** For lists with one line for each record. */
export const longFlag = booleanFlag('Print every column on a terminal, and each value in full');

interface ListOptions<R, Row> {
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

/** `pages`: undefined if the request was only printed. */
export async function printList<R, Row>(
  context: Pick<Context, 'report' | 'world'>,
  pages: Pages<R> | undefined,
  { columns, toRows, accepts, limit, long, thing: [singular, plural], none }: ListOptions<R, Row>,
): Promise<void> {
  if (pages === undefined) return;
  const { read, printed } = await printPages(context, pages, {
    things: plural,
    toTable: (records) => ({ columns, records: records.flatMap(toRows), isOneLine: !long }),
    matches: accepts,
    limit,
  });
  if (printed === 0)
    await context.report.info(read === 0 ? none : `None of ${countOf(read, singular, plural)} matches.`);
}

interface PageView<R, Row> {
  readonly things: string;
  /** The rows of one page, for which names may have to be looked up. JSON has the records themselves. */
  readonly toTable: (records: readonly R[]) => PageTable<Row> | Promise<PageTable<Row>>;
  readonly matches?: ((record: R) => boolean) | undefined;
  readonly limit?: number | undefined;
}

type PageTable<Row> = Pick<ReportedRecords<Row>, 'columns' | 'records' | 'isOneLine'>;

/** Returns how many records the service returned, and how many of them were printed. */
export async function printPages<R, Row>(
  context: Pick<Context, 'world' | 'report'>,
  pages: Pages<R>,
  { things, toTable, matches = () => true, limit = Number.POSITIVE_INFINITY }: PageView<R, Row>,
) {
  let read = 0;
  let matching = 0;
  let printed = 0;
  const showsRows = context.world.streams.output.isTerminal;
  const endProgress = startProgress(context, () => {
    // The rows on the screen already show progress.
    if (showsRows && printed > 0) return undefined;
    if (read === 0) return `Reading ${things}...`;
    const matchCount = matching === read ? '' : `; ${formatCount(matching)} match`;
    return `Read ${formatCount(read)} ${things} so far${matchCount}.`;
  });
  async function* parts() {
    for await (const page of pages) {
      read += page.records.length;
      const found = page.records.flatMap((record, index) =>
        matches(record) ? [{ record, raw: page.raw[index] }] : [],
      );
      // Before the names of this page are looked up, which may take long.
      matching += found.length;
      const selected = found.slice(0, limit - printed);
      if (selected.length > 0) {
        const table = await toTable(selected.map(({ record }) => record));
        printed += selected.length;
        yield { ...table, raw: selected.map(({ raw }) => raw) };
      }
      if (printed >= limit) return;
    }
  }
  try {
    await context.report.parts(parts());
  } finally {
    endProgress();
  }
  return { read, printed };
}
