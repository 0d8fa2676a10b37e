// Lays out rows as single lines of any width: the title, then as many details as fit, in columns. Two rows look alike only if the
// detail that tells them apart does not fit.

import { displayWidth } from '../width.ts';
import type { Row } from './entry.ts';
import { shorten } from './shorten.ts';

export interface Layout {
  /** Returns a row's line, by index, within the width. */
  line(row: number): string;
  /** Returns the details of a row without a column, and its title if that was shortened. */
  hiddenDetails(row: number): string;
  /** True if any row hides something. Does not depend on the filter. */
  readonly hidesDetails: boolean;
}

const gap = 2;
/** A title keeps at least this width beside optional details. */
const comfortableTitle = 40;
/** A title keeps at least this width beside the detail that tells rows apart. */
const minTitle = 8;

/**
 * `shown`: the indices of the rows on this screen and the ones around it. `near`: the ones to compare, so that no two look alike.
 */
export function createLayout(
  rows: readonly Row[],
  shown: readonly number[],
  width: number,
  near: readonly number[] = shown,
): Layout {
  const loose = fitColumns(rows, shown, width, 0);
  return hasDuplicateLines(rows, near, loose) ? fitColumns(rows, shown, width, 1) : loose;
}

function hasDuplicateLines(rows: readonly Row[], near: readonly number[], { line }: Layout): boolean {
  const rowOfLine = new Map<string, Row>();
  return near.some((index) => {
    const [row, text] = [rows[index], line(index)];
    const before = rowOfLine.get(text);
    if (row) rowOfLine.set(text, row);
    return before !== undefined;
  });
}

/** A loop: as arguments, a hundred thousand rows would exhaust the stack. */
function longest(rows: readonly Row[], cells: (row: Row) => number): number {
  let most = 0;
  for (const row of rows) most = Math.max(most, cells(row));
  return most;
}

/** `needed`: how many details must get a column. Lays out a row only on demand, because there may be thousands. */
function fitColumns(rows: readonly Row[], shown: readonly number[], width: number, needed: number): Layout {
  const measured = shown.some((at) => rows[at]?.isOnlyFound) ? rows : rows.filter((row) => !row.isOnlyFound);
  const most = longest(measured, ({ details }) => details.length);
  const widths = Array.from({ length: most }, (_, at) =>
    longest(measured, ({ detailWidths }) => detailWidths[at] ?? 0),
  );
  const widest = longest(measured, ({ titleWidth }) => titleWidth);
  const taken = (count: number) => widths.slice(0, count).reduce((sum, one) => sum + gap + one, 0);
  const titleWidth = Math.min(widest, Math.max(comfortableTitle, Math.floor(width * 0.6)));
  let count = most;
  while (count > Math.min(needed, most) && width - taken(count) < titleWidth) count--;
  const room = Math.min(widest, width, Math.max(minTitle, width - taken(count)));
  const title = shortened(rows, shown, (row) => row.title, room);
  const remainingWidth = width - room;
  const inFull = taken(count) <= remainingWidth;
  // Too narrow even for the first detail, so shorten that too.
  const key =
    inFull || remainingWidth <= gap
      ? () => ''
      : shortened(rows, shown, ({ details }) => details[0] ?? '', remainingWidth - gap);
  return {
    line(index) {
      const details = rows[index]?.details ?? [];
      const cells = inFull
        ? details.slice(0, count).map((text, at) => pad(text, widths[at] ?? 0))
        : [key(index)];
      return [pad(title(index), room), ...cells].join(' '.repeat(gap)).trimEnd();
    },
    hiddenDetails(index) {
      const row = rows[index];
      if (!row) return '';
      return [...(title(index) === row.title ? [] : [row.title]), ...row.details.slice(inFull ? count : 0)]
        .filter((text) => text !== '')
        .join(' '.repeat(gap));
    },
    hidesDetails: count < most || !inFull || widest > room,
  };
}

/** Returns a row's text, shortened so that it differs from its neighbours. */
function shortened(
  rows: readonly Row[],
  shown: readonly number[],
  textOf: (row: Row) => string,
  width: number,
): (index: number) => string {
  const textAt = (at: number) => {
    const row = rows[shown[at] ?? -1];
    return row ? [textOf(row)] : [];
  };
  return (index) => {
    const at = shown.indexOf(index);
    const [text = ''] = textAt(at);
    return shorten(text, [...textAt(at - 1), ...textAt(at + 1)], width);
  };
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
