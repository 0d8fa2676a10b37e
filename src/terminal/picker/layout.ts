// Lays out rows as single lines of any width: the title, then the needed detail and as many others as fit, in columns. Two rows look
// alike only if the detail that tells them apart does not fit.

import { displayWidth } from '../width.ts';
import type { Row } from './entry.ts';
import { shortenAll } from './shorten.ts';

const gap = 2;
/** Room for what the user types beside a question. */
export const filterCells = 24;
/** A title keeps at least this width beside optional details. */
const comfortableTitle = 40;
/** A title keeps at least this width beside the detail that tells rows apart. */
const minTitle = 8;

/** `shown`: the indices of the listed rows. `near`: the indices of the rows to compare, so that no two look alike. */
export function createLayout(rows: readonly Row[], shown: readonly number[], width: number, near = shown) {
  const loose = fitColumns(rows, shown, near, width, 0);
  const hasDuplicateTitles = new Set(near.map((index) => loose.title(index))).size < near.length;
  return hasDuplicateTitles ? fitColumns(rows, shown, near, width, 1) : loose;
}

/** Not Math.max(...rows): a hundred thousand arguments would exhaust the stack. */
function longest(rows: readonly Row[], cells: (row: Row) => number): number {
  return rows.reduce((most, row) => Math.max(most, cells(row)), 0);
}

/** `least`: how many details must get a column. Lays out a row only on demand, because there may be thousands. */
function fitColumns(
  rows: readonly Row[],
  shown: readonly number[],
  near: readonly number[],
  width: number,
  least: number,
) {
  const measured = shown.some((index) => rows[index]?.isOnlyFound)
    ? rows
    : rows.filter((row) => !row.isOnlyFound);
  const mostDetails = longest(measured, ({ details }) => details.length);
  const widths = Array.from({ length: mostDetails }, (_, column) =>
    longest(measured, ({ detailWidths }) => detailWidths[column] ?? 0),
  );
  const widest = longest(measured, ({ titleWidth }) => titleWidth);
  const needed = rows[0]?.needed ?? -1;
  let count = mostDetails;
  const hasColumn = (column: number) => column < count || column === needed;
  const cells = () => widths.reduce((sum, own, column) => sum + (hasColumn(column) ? gap + own : 0), 0);
  const titleWidth = Math.min(widest, Math.max(comfortableTitle, Math.floor(width * 0.6)));
  while (count > Math.min(least, mostDetails) && width - cells() < titleWidth) count--;
  const room = Math.min(widest, width, Math.max(minTitle, width - cells()));
  const shortened = (textOf: (row?: Row) => string, room: number) => {
    const forms = shortenAll(
      near.map((index) => textOf(rows[index])),
      room,
    );
    return (index: number) => forms.get(textOf(rows[index])) ?? '';
  };
  const titleIn = (room: number) => shortened((row) => row?.title ?? '', room);
  const title = titleIn(room);
  const remainingWidth = width - room;
  const isInFull = cells() <= remainingWidth;
  // Too narrow even for these details, so shorten the first too. If hardly any of it would be left, omit the needed one.
  const besideNeeded = remainingWidth - gap - (gap + (widths[needed] ?? 0));
  const isBeside = needed > 0 && besideNeeded >= minTitle;
  const keyWidth = isBeside ? besideNeeded : remainingWidth - gap;
  const key = isInFull || keyWidth <= 0 ? () => '' : shortened((row) => row?.details[0] ?? '', keyWidth);
  return {
    line(index: number) {
      const details = rows[index]?.details ?? [];
      const texts = isInFull
        ? details.flatMap((text, column) => (hasColumn(column) ? pad(text, widths[column] ?? 0) : []))
        : isBeside
          ? [pad(key(index), keyWidth), details[needed] ?? '']
          : [key(index)];
      return [pad(title(index), room), ...texts].join(' '.repeat(gap)).trimEnd();
    },
    title,
    /** Returns the details of a row without a column, and before them more of its title if that was shortened. */
    hiddenDetails(index: number, width: number) {
      const row = rows[index];
      if (!row) return '';
      const shortenedTitle = title(index) === row.title ? '' : titleIn(width)(index);
      const details = row.details.filter((_, column) => !isInFull || !hasColumn(column));
      return [shortenedTitle, ...details].filter((text) => text !== '').join(' '.repeat(gap));
    },
    /** True if any row hides something. Does not depend on the filter. */
    hidesDetails: !widths.every((_, column) => hasColumn(column)) || !isInFull || widest > room,
  };
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
