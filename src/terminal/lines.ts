// Draws each record of a list as one line. Shortens long cells, but never shows one text for two values, unlike a pipe or --long.

import { dayWidth, findLookAlikes, shorten, shortenAll, startsWithDay } from './picker/shorten.ts';
import type { Style } from './style.ts';
import { type Column, drawAligned, format, type Row, totalOf } from './table.ts';
import { displayWidth, ellipsis } from './width.ts';

/** No column becomes narrower than this, unless all its cells are. */
const minWidth = 8;
/** A column that yields is left out before the first long column becomes narrower than this... */
const readableMain = 28;
/** ...or another one narrower than this. */
const readableWidth = 12;
/** A column with the same text in all lines becomes this narrow first. */
const readableSame = 14;
/** Widens a column by this factor while two of its texts look alike. */
const widening = 1.2;
/** On a narrower terminal, draws each record as a block. */
const leastColumns = 60;

/** The first part sets the widths; a wider one, or one with look-alikes, sets new ones. Undefined if the terminal is too narrow. */
export function createLines(
  width: number,
  style: Style,
): <R>(columns: readonly Column<R>[], rows: readonly Row<R>[]) => string | undefined {
  let before: readonly number[] | undefined;
  /** By column, the text of each shortened form on the screen. */
  const printed: Map<string, string>[] = [];
  return (columns, rows) => {
    if (width < leastColumns) return undefined;
    const texts = columns.map((_, index) => rows.map((row) => row.texts[index] ?? ''));
    const fullWidths = columns.map(({ title }, index) =>
      (texts[index] ?? []).reduce(
        (most, text) => Math.max(most, displayWidth(text)),
        before?.[index] ?? displayWidth(title),
      ),
    );
    const layOut = (widths: readonly number[]) => {
      const forms = widths.map((room, index) =>
        shortenAll(room === 0 ? [] : (texts[index] ?? []), room, printed[index]),
      );
      const alike = forms.findIndex((ofColumn, index) => findLookAlikes(ofColumn, printed[index]).length > 0);
      return { widths, forms, alike };
    };
    const hasMoreRoom = (widths: readonly number[]) =>
      totalOf(widths) < width && fullWidths.some((full, index) => full > (widths[index] ?? 0));
    const same = before && !hasMoreRoom(before) && layOut(before);
    const layout = same && same.alike === -1 ? same : fitWidths(columns, rows, fullWidths, width, layOut);
    if (layout === undefined) return undefined;
    const { widths, forms } = layout;
    for (const [index, ofColumn] of forms.entries()) {
      printed[index] ??= new Map();
      for (const [text, form] of ofColumn) if (form.includes(ellipsis)) printed[index].set(form, text);
    }
    const shown = [...columns.entries()].filter(([index]) => widths[index] !== 0);
    const shownWidths = widths.filter((room) => room > 0);
    const titles = shown.map(([index, { title }]) =>
      format([shorten(title, [], widths[index] ?? 0)], style.strong),
    );
    const lines = rows.map((row) =>
      shown.map(([index, column]) =>
        format([forms[index]?.get(row.texts[index] ?? '') ?? ''], column.format?.(row.record, style)),
      ),
    );
    const isFirst = before === undefined;
    before = widths;
    if (layout === same) return drawAligned(lines, shownWidths);
    return `${isFirst ? '' : '\n'}${drawAligned([titles, ...lines], shownWidths)}`;
  };
}

// Narrows columns with one text first, then the widest, but never an id; the first long one keeps twice as much. Leaves out as few
// columns as the width and look-alikes allow.
function fitWidths<R, L extends { readonly alike: number }>(
  columns: readonly Column<R>[],
  rows: readonly Row<R>[],
  fullWidths: readonly number[],
  width: number,
  /** `alike`: the column in which different texts look alike; -1 if there is none. */
  layOut: (widths: readonly number[]) => L,
): L | undefined {
  const tellsNothing = columns.map(
    (_, index) => rows.length > 1 && new Set(rows.map(({ texts }) => texts[index])).size === 1,
  );
  const main = fullWidths.findIndex(
    (cells, index) => cells > readableWidth && columns[index]?.unbroken !== true && !tellsNothing[index],
  );
  for (const { leftOut, isReadable } of columnsToLeaveOut(columns, rows)) {
    const full = fullWidths.map((cells, index) => (leftOut.includes(index) ? 0 : cells));
    const shown = rows.map(({ texts }) => texts.filter((_, index) => full[index] !== 0).join('\0'));
    if (leftOut.some((index) => columns[index]?.yields) && new Set(shown).size < rows.length) continue;
    const least = full.map((cells, index) => {
      if (columns[index]?.unbroken === true) return cells;
      if (isReadable) return Math.min(cells, index === main ? readableMain : readableWidth);
      const hasDays = rows.some(({ texts }) => startsWithDay.test(texts[index] ?? ''));
      return Math.min(cells, hasDays ? dayWidth + 1 : minWidth);
    });
    while (totalOf(least) <= width) {
      const widths = [...full];
      for (let excess = totalOf(widths) - width; excess > 0; excess--) {
        const shares = widths.map((cells, index) => {
          if (cells <= (least[index] ?? 0)) return 0;
          if (tellsNothing[index]) return cells > readableSame ? width + cells : 1;
          return index === main ? cells / 2 : cells;
        });
        const widest = shares.indexOf(Math.max(...shares));
        widths[widest] = (widths[widest] ?? 0) - 1;
      }
      const layout = layOut(widths);
      const [shownWidth = 0, fullWidth = 0] = [widths[layout.alike], full[layout.alike]];
      if (layout.alike === -1) return layout;
      if (shownWidth === fullWidth) break;
      least[layout.alike] = Math.min(fullWidth, Math.ceil(shownWidth * widening));
    }
  }
  return undefined;
}

/** First none, then the ones that yield. If the others are still not readable, empty and last ones too, but not the first two. */
function* columnsToLeaveOut<R>(columns: readonly Column<R>[], rows: readonly Row<R>[]) {
  const yielding = columns.flatMap((column, index) => (column.yields ? [index] : []));
  const fromEnd = columns.flatMap(({ unbroken }, index) => (unbroken === true ? [] : [index])).reverse();
  const empty = fromEnd.filter((index) => rows.every(({ texts }) => (texts[index] ?? '') === ''));
  const last = [...empty, ...fromEnd.slice(0, -2)];
  if (yielding.length > 0) for (const leftOut of [[], yielding]) yield { leftOut, isReadable: true };
  for (const first of [yielding, []])
    for (let count = 0; count <= last.length; count++)
      yield { leftOut: [...first, ...last.slice(0, count)], isReadable: false };
}
