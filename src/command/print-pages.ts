// Prints a list page by page, as it comes: filters it, stops at --limit or when the reader has gone (`| head -1`), and shows
// on a terminal how far it is if that takes long.

import type { Column } from '../terminal/table.ts';
import type { Context } from './context.ts';
import { startListProgress } from './list-progress.ts';
import type { Pages } from './read-pages.ts';

export interface PageView<R> {
  /** What the records are, in the plural: `tasks`. */
  readonly things: string;
  /** For the records of one page: the names in them may have to be looked up. */
  readonly columns: (records: readonly R[]) => readonly Column<R>[] | Promise<readonly Column<R>[]>;
  /** The filter, where the service does not filter, or may not. */
  readonly matches?: (record: R) => boolean;
  readonly limit?: number | undefined;
}

export interface PageCounts {
  /** How many records the service returned. */
  readonly read: number;
  readonly printed: number;
}

export async function printPages<R>(
  context: Pick<Context, 'world' | 'report'>,
  pages: Pages<R>,
  { things, columns, matches, limit = Number.POSITIVE_INFINITY }: PageView<R>,
): Promise<PageCounts> {
  let read = 0;
  let printed = 0;
  const showsRows = context.world.streams.output.isTerminal;
  const endProgress = startListProgress(context, () => {
    // The rows on the screen show it as well.
    if (showsRows && printed > 0) return undefined;
    if (read === 0) return `Reading ${things}...`;
    const found = printed === read ? '' : `; ${printed.toLocaleString('en')} match`;
    return `Read ${read.toLocaleString('en')} ${things} so far${found}.`;
  });
  async function* parts() {
    for await (const page of pages) {
      read += page.records.length;
      const matching = page.records.flatMap((record, at) =>
        matches === undefined || matches(record) ? [{ record, raw: page.raw[at] }] : [],
      );
      const chosen = matching.slice(0, limit - printed);
      if (chosen.length > 0) {
        const records = chosen.map(({ record }) => record);
        const part = { columns: await columns(records), records, raw: chosen.map(({ raw }) => raw) };
        printed += chosen.length;
        yield part;
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
