// Draws each record of a list as one line. Shortens long cells in the middle, but keeps what differs from the neighbours. --long, a
// single record and a pipe show everything.

import { shorten } from './picker/shorten.ts';
import type { Style } from './style.ts';
import { type Column, drawAligned, format, type Row, totalOf } from './table.ts';
import { displayWidth } from './width.ts';

/** No column becomes narrower than this, unless all its cells are. */
const minWidth = 8;
/** On a narrower terminal, draws each record as a block. */
const leastColumns = 60;

/**
 * The first part sets the widths. A wider one sets new widths if there is room, and repeats the titles. Returns nothing if the
 * terminal is too narrow for lines.
 */
export function createLines(
  width: number,
  style: Style,
): <R>(columns: readonly Column<R>[], rows: readonly Row<R>[]) => string | undefined {
  let widths: readonly number[] | undefined;
  return (columns, rows) => {
    const before = widths;
    const fullWidths = columns.map(({ title }, index) =>
      rows.reduce(
        (most, { texts }) => Math.max(most, displayWidth(texts[index] ?? '')),
        before?.[index] ?? displayWidth(title),
      ),
    );
    if (
      before === undefined ||
      (totalOf(before) < width && fullWidths.some((full, index) => full > (before[index] ?? 0)))
    )
      widths = fitWidths(columns, rows, fullWidths, width);
    const fitted = widths;
    if (fitted === undefined || width < leastColumns) return undefined;
    const shown = columns
      .map((column, index) => ({ column, index, room: fitted[index] ?? 0 }))
      .filter(({ room }) => room > 0);
    const titles = shown.map(({ column, room }) => format([shorten(column.title, [], room)], style.strong));
    const lines = rows.map(({ record, texts }, rowIndex) =>
      shown.map(({ column, index, room }) => {
        const near = [rows[rowIndex - 1], rows[rowIndex + 1]].flatMap((row) => row?.texts[index] ?? []);
        return format([shorten(texts[index] ?? '', near, room)], column.format?.(record, style));
      }),
    );
    const shownWidths = shown.map(({ room }) => room);
    if (fitted === before) return drawAligned(lines, shownWidths);
    return `${before === undefined ? '' : '\n'}${drawAligned([titles, ...lines], shownWidths)}`;
  };
}

/**
 * Narrows the widest columns first, but never an id. If that is not enough, removes empty columns, then the last ones, by setting
 * their width to 0.
 */
function fitWidths<R>(
  columns: readonly Column<R>[],
  rows: readonly Row<R>[],
  fullWidths: readonly number[],
  width: number,
): readonly number[] | undefined {
  const isUnbroken = (index: number) => columns[index]?.unbroken === true;
  const widths = [...fullWidths];
  const least = fullWidths.map((width, index) => (isUnbroken(index) ? width : Math.min(width, minWidth)));
  const isEmpty = (index: number) => rows.every(({ texts }) => (texts[index] ?? '') === '');
  const fromEnd = columns
    .map((_, index) => index)
    .filter((index) => !isUnbroken(index))
    .reverse();
  for (const index of [...fromEnd.filter(isEmpty), ...fromEnd.slice(0, -1)]) {
    if (totalOf(least) <= width) break;
    least[index] = 0;
    widths[index] = 0;
  }
  if (totalOf(least) > width) return undefined;
  for (let excess = totalOf(widths) - width; excess > 0; excess--) {
    const spare = widths.map((width, index) => (width > (least[index] ?? 0) ? width : 0));
    const widest = spare.indexOf(Math.max(...spare));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
