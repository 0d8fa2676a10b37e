// Lays out rows as single lines of any width: the title, then as many details as fit, in columns. Two rows look alike only if the
// detail that tells them apart does not fit.

import { displayWidth } from '../width.ts';
import type { Row } from './entry.ts';
import { shorten } from './shorten.ts';

const gap = 2;
/** A title keeps at least this width beside optional details. */
const comfortableTitle = 40;
/** A title keeps at least this width beside the detail that tells rows apart. */
const minTitle = 8;

/**
 * `shown`: the indices of the listed rows. `near`: the indices of the rows to compare, so that no two look alike.
 */
export function createLayout(
  rows: readonly Row[],
  shown: readonly number[],
  width: number,
  near: readonly number[] = shown,
) {
  const loose = fitColumns(rows, shown, width, 0);
  const hasDuplicateLines = new Set(near.map((index) => loose.line(index))).size < near.length;
  return hasDuplicateLines ? fitColumns(rows, shown, width, 1) : loose;
}

/** Not Math.max(...rows): a hundred thousand arguments would exhaust the stack. */
function longest(rows: readonly Row[], cells: (row: Row) => number): number {
  return rows.reduce((most, row) => Math.max(most, cells(row)), 0);
}

/** `needed`: how many details must get a column. Lays out a row only on demand, because there may be thousands. */
function fitColumns(rows: readonly Row[], shown: readonly number[], width: number, needed: number) {
  const measured = shown.some((index) => rows[index]?.isOnlyFound)
    ? rows
    : rows.filter((row) => !row.isOnlyFound);
  const mostDetails = longest(measured, ({ details }) => details.length);
  const widths = Array.from({ length: mostDetails }, (_, column) =>
    longest(measured, ({ detailWidths }) => detailWidths[column] ?? 0),
  );
  const widest = longest(measured, ({ titleWidth }) => titleWidth);
  const cellsOfFirst = (count: number) => widths.slice(0, count).reduce((sum, cells) => sum + gap + cells, 0);
  const titleWidth = Math.min(widest, Math.max(comfortableTitle, Math.floor(width * 0.6)));
  let count = mostDetails;
  while (count > Math.min(needed, mostDetails) && width - cellsOfFirst(count) < titleWidth) count--;
  const room = Math.min(widest, width, Math.max(minTitle, width - cellsOfFirst(count)));
  const title = shortened(rows, shown, (row) => row.title, room);
  const remainingWidth = width - room;
  const isInFull = cellsOfFirst(count) <= remainingWidth;
  // Too narrow even for the first detail, so shorten that too.
  const key =
    isInFull || remainingWidth <= gap
      ? () => ''
      : shortened(rows, shown, ({ details }) => details[0] ?? '', remainingWidth - gap);
  return {
    /** Returns a row's line, by index, within the width. */
    line(index: number) {
      const details = rows[index]?.details ?? [];
      const cells = isInFull
        ? details.slice(0, count).map((text, column) => pad(text, widths[column] ?? 0))
        : [key(index)];
      return [pad(title(index), room), ...cells].join(' '.repeat(gap)).trimEnd();
    },
    /** Returns the details of a row without a column, and its title if that was shortened. */
    hiddenDetails(index: number) {
      const row = rows[index];
      if (!row) return '';
      return [...(title(index) === row.title ? [] : [row.title]), ...row.details.slice(isInFull ? count : 0)]
        .filter((text) => text !== '')
        .join(' '.repeat(gap));
    },
    /** True if any row hides something. Does not depend on the filter. */
    hidesDetails: count < mostDetails || !isInFull || widest > room,
  };
}

/** Returns a row's text, shortened so that it differs from its neighbours. */
function shortened(
  rows: readonly Row[],
  shown: readonly number[],
  textOf: (row: Row) => string,
  width: number,
): (index: number) => string {
  const textAt = (position: number) => {
    const row = rows[shown[position] ?? -1];
    return row ? [textOf(row)] : [];
  };
  return (index) => {
    const position = shown.indexOf(index);
    const [text = ''] = textAt(position);
    return shorten(text, [...textAt(position - 1), ...textAt(position + 1)], width);
  };
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
