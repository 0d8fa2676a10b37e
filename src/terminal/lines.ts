// Draws each record of a list as one line, for long lists at 80 columns. Shortens long cells in the middle, but keeps what differs
// from the neighbours. --long, a single record and a pipe show everything.

import { shorten } from './picker/shorten.ts';
import type { Style } from './style.ts';
import { type Column, drawAligned, gap, type Row } from './table.ts';
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
    const wantedWidths = columns.map(({ title }, index) =>
      rows.reduce(
        (most, { texts }) => Math.max(most, displayWidth(texts[index] ?? '')),
        before?.[index] ?? displayWidth(title),
      ),
    );
    if (
      before === undefined ||
      (totalOf(before) < width && wantedWidths.some((wanted, at) => wanted > (before[at] ?? 0)))
    )
      widths = fitWidths(columns, rows, wantedWidths, width);
    const fitted = widths;
    if (fitted === undefined || width < leastColumns) return undefined;
    const shownColumns = columns.flatMap((column, index) => (fitted[index] === 0 ? [] : [{ column, index }]));
    const roomFor = (index: number) => fitted[index] ?? 0;
    const draw = (cells: readonly string[], looks: readonly ((text: string) => string)[]) =>
      drawAligned(
        cells.map((cell) => [cell]),
        shownColumns.map(({ index }) => roomFor(index)),
        looks,
      );
    const lines = rows.map(({ record, texts }, at) =>
      draw(
        shownColumns.map(({ index }) => {
          const near = [rows[at - 1], rows[at + 1]].flatMap((row) => row?.texts[index] ?? []);
          return shorten(texts[index] ?? '', near, roomFor(index));
        }),
        shownColumns.map(({ column }) => column.format?.(record, style) ?? ((text: string) => text)),
      ),
    );
    if (fitted === before) return lines.join('\n');
    const titles = shownColumns.map(({ column, index }) => shorten(column.title, [], roomFor(index)));
    const head = draw(
      titles,
      shownColumns.map(() => style.strong),
    );
    return [...(before === undefined ? [] : ['']), head, ...lines].join('\n');
  };
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + (one === 0 ? 0 : one + gap), -gap);
}

/**
 * Narrows the widest columns first, but never an id. If that is not enough, removes empty columns, then the last ones, by setting
 * their width to 0.
 */
function fitWidths<R>(
  columns: readonly Column<R>[],
  rows: readonly Row<R>[],
  wanted: readonly number[],
  width: number,
): readonly number[] | undefined {
  const isWhole = (index: number) => columns[index]?.unbroken === true;
  const widths = [...wanted];
  const least = wanted.map((width, index) => (isWhole(index) ? width : Math.min(width, minWidth)));
  const isEmpty = (index: number) => rows.every(({ texts }) => (texts[index] ?? '') === '');
  const fromEnd = columns
    .map((_, index) => index)
    .filter((index) => !isWhole(index))
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
