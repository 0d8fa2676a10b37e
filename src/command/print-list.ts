// Prints a list that comes in pages: as many records as are wanted, and, where there are none, why.

import type { JsonObject } from '../client/response.ts';
import type { Column } from '../terminal/table.ts';
import type { Context } from './context.ts';
import { integerFlag } from './flag.ts';
import type { Pages } from './read-pages.ts';

export const limitFlag = integerFlag('N', 'Print at most this many', 1, 1_000_000_000);

export interface ListOptions<R, Row> {
  readonly columns: readonly Column<Row>[];
  /** The lines of a record, where they are not the record itself. JSON has the record. */
  readonly toRows: (record: R) => readonly Row[];
  /** A filter that wm applies, since the service is not known to have it. */
  readonly accepts?: (record: R) => boolean;
  readonly limit: number | undefined;
  /** What is listed, one and several: `entry`, `entries`. */
  readonly thing: readonly [one: string, several: string];
  /** Where the service found none: `No custom fields.` */
  readonly none: string;
}

export async function printList<R, Row>(
  { report }: Pick<Context, 'report'>,
  pages: Pages<R>,
  {
    columns,
    toRows,
    accepts = () => true,
    limit = Number.POSITIVE_INFINITY,
    thing: [one, several],
    none,
  }: ListOptions<R, Row>,
): Promise<void> {
  let seen = 0;
  const found: { record: R; raw: JsonObject }[] = [];
  for await (const { records, raw } of pages) {
    seen += records.length;
    for (const [at, record] of records.entries())
      if (accepts(record) && found.length < limit) found.push({ record, raw: raw[at] ?? {} });
    if (found.length >= limit) break;
  }
  await report.list({
    columns,
    records: found.flatMap(({ record }) => toRows(record)),
    raw: found.map(({ raw }) => raw),
  });
  if (found.length === 0)
    await report.info(seen === 0 ? none : `None of ${seen} ${seen === 1 ? one : several} matches.`);
}
