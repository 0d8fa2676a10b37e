// Draws records as wide as the terminal: in aligned columns if they fit, otherwise each as a block of labelled values, without the
// empty ones. Cuts only very long cells.

import Table from 'cli-table3';
import { type Format, type Style, unchanged } from './style.ts';
import { displayWidth } from './width.ts';
import { type MeasuredText, measure, measureField, minWidth, wrap, wrapField } from './wrap.ts';

export interface Column<R> {
  readonly title: string;
  /** `now`: the current time if a person reads the cell, so that a time is relative; not set for a program. */
  readonly cell: (record: R, now?: number) => string;
  /** Never broken, because users copy ids. `words`: broken only at spaces, for addresses. */
  readonly unbroken?: true | 'words';
  /** The style of a cell on a terminal with colours. */
  readonly format?: (record: R, style: Style) => Format | undefined;
}

/** A record and its cells, sanitised to one line each. */
export interface Row<R> {
  readonly record: R;
  readonly texts: readonly string[];
}

export const gap = 2;
/** Rows with more lines are hard to tell apart, so blocks are better... */
const maxLines = 3;
/** ...unless only one row in ten is longer. */
const longRowOneIn = 10;
/** If a piece fits in no line, a column of this width is as good as a wider one. */
const enoughWidth = 24;

/**
 * Draws a table, or blocks if it does not fit. Its rows may arrive in parts: the first part sets the widths, and a part that does not
 * fit sets new ones and repeats the titles. `maxFieldLines`: the lines of one cell; by default the limit without a pager.
 */
export function createGrowingTable(
  width: number,
  style: Style,
  maxFieldLines?: number,
): <R>(columns: readonly Column<R>[], rows: readonly Row<R>[]) => string {
  let layout: readonly number[] | 'blocks' | 'none' = 'none';
  return (columns, rows) => {
    const contents = measureColumns(columns, rows);
    const before = layout;
    if (layout !== 'blocks' && (layout === 'none' || !fitInto(contents, layout)))
      layout = fitWidths(contents, width) ?? 'blocks';
    if (layout === 'blocks') {
      const blocks = rows.map((row) => drawBlock(columns, row, width, style, maxFieldLines)).join('\n\n');
      return (before === 'none' ? '' : '\n') + blocks;
    }
    const widths = layout;
    const titles = {
      cells: contents.map(({ title }, index) => wrap(title, widths[index] ?? 0)),
      formats: contents.map(() => style.strong),
    };
    const lines = rows.map(({ record }, rowIndex) => ({
      cells: contents.map(({ cells }, index) =>
        wrapField(cells[rowIndex] ?? measure(''), widths[index] ?? 0, maxFieldLines),
      ),
      formats: columns.map((column) => column.format?.(record, style) ?? unchanged),
    }));
    if (before === layout) return drawAligned(lines, widths);
    return `${before === 'none' ? '' : '\n'}${drawAligned([titles, ...lines], widths)}`;
  };
}

function measureColumns<R>(
  columns: readonly Column<R>[],
  rows: readonly Row<R>[],
): readonly ColumnContents[] {
  const cells = rows.map(({ texts }) => texts.map((text) => measureField(text, rows.length)));
  return columns.map(({ title, unbroken }, index) => ({
    isUnbroken: unbroken === true,
    keepsWords: unbroken === 'words',
    title: measure(title),
    cells: cells.map((row) => row[index] ?? measure('')),
  }));
}

/** True if rows look well in columns of these widths. */
function fitInto(contents: readonly ColumnContents[], widths: readonly number[]): boolean {
  return contents.every(({ isUnbroken, keepsWords, cells }, index) => {
    const width = widths[index] ?? 0;
    const isFitting = (lines: readonly string[]) =>
      lines.length <= maxLines && lines.every((line) => displayWidth(line) <= width);
    return cells.every(
      (cell) =>
        cell.width <= width ||
        (!isUnbroken && !(keepsWords && widestWord(cell) > width) && isFitting(wrap(cell, width))),
    );
  });
}

/** Draws a line `name: value` for each cell that is not empty. A long value continues below. */
export function drawBlock<R>(
  columns: readonly Column<R>[],
  { record, texts }: Row<R>,
  width: number,
  style: Style,
  maxFieldLines?: number,
): string {
  const cells = columns.flatMap((column, index) => {
    const value = measureField(texts[index] ?? '');
    return value.words.length === 0 ? [] : [{ column, value }];
  });
  // A function of one argument: Chalk would print the other arguments of `map` too.
  const faint = (text: string) => style.faint(text);
  const beside = Math.max(0, ...cells.map(({ column }) => displayWidth(column.title))) + ': '.length;
  return cells
    .flatMap(({ column, value }) => {
      const format = column.format?.(record, style) ?? unchanged;
      const name = `${column.title}:`;
      const room = width - beside;
      const needed = minWidth(value, width, 0);
      if (needed <= room && (value.width <= room || room >= enoughWidth)) {
        const [first = '', ...rest] = wrapField(value, room, maxFieldLines).map((line) => format(line));
        return [
          faint(name) + ' '.repeat(beside - displayWidth(name)) + first,
          ...rest.map((line) => ' '.repeat(beside) + line),
        ];
      }
      // Too long to go beside the name: print below it, indented unless a piece needs the whole line.
      const indent = Math.min(gap, width - needed);
      return [
        ...wrap(measure(name), width).map(faint),
        ...wrapField(value, width - indent, maxFieldLines).map((line) => ' '.repeat(indent) + format(line)),
      ];
    })
    .join('\n');
}

/** The lines of each cell of a row, already broken, and their styles. */
interface AlignedRow {
  readonly cells: readonly (readonly string[])[];
  readonly formats: readonly Format[];
}

const borders =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';
const tableOptions = {
  chars: { ...Object.fromEntries(borders.split(' ').map((name) => [name, ''])), middle: ' '.repeat(gap) },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
};
/** Its time is quadratic in the rows of a table. */
const maxTableRows = 50;

/** Lays out rows in columns of these widths. Each line is a row of its own for cli-table3, which is slow at cells of several lines. */
export function drawAligned(rows: readonly AlignedRow[], widths: readonly number[]): string {
  const lines = rows.flatMap(({ cells, formats }) => {
    const height = Math.max(1, ...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, lineIndex) =>
      cells.map((cell, index) => {
        const text = cell[lineIndex] ?? '';
        return text === '' ? '' : (formats[index] ?? unchanged)(text);
      }),
    );
  });
  const drawn: string[] = [];
  for (let from = 0; from < lines.length; from += maxTableRows) {
    const table = new Table({ ...tableOptions, colWidths: [...widths] });
    table.push(...lines.slice(from, from + maxTableRows));
    // Without the blanks at the end of a line.
    drawn.push(table.toString().replace(/(?<! ) +$/gm, ''));
  }
  return drawn.join('\n');
}

interface ColumnContents {
  readonly isUnbroken: boolean;
  readonly keepsWords: boolean;
  readonly title: MeasuredText;
  readonly cells: readonly MeasuredText[];
}

/** Returns the widths that need the fewest lines; undefined if blocks are better. */
function fitWidths(columns: readonly ColumnContents[], width: number): readonly number[] | undefined {
  const total = (widths: readonly number[]) => widths.reduce((sum, cells) => sum + cells + gap, -gap);
  const fullWidths = columns.map(({ title, cells }) => widest([title, ...cells], (cell) => cell.width));
  if (total(fullWidths) <= width) return fullWidths;
  const least = columns.map(({ isUnbroken, keepsWords, title, cells }, index) =>
    isUnbroken
      ? (fullWidths[index] ?? 0)
      : widest([title, ...cells], (cell) =>
          keepsWords ? widestWord(cell) : minWidth(cell, width, enoughWidth),
        ),
  );
  for (let lines = 1; lines <= maxLines; lines++) {
    const widths = columns.map((column, index) =>
      narrowest(column, lines, least[index] ?? 0, fullWidths[index] ?? 0),
    );
    const remainingWidth = width - total(widths);
    if (remainingWidth >= 0) return distribute(widths, fullWidths, remainingWidth);
  }
  return undefined;
}

function widestWord({ words }: MeasuredText): number {
  return words.reduce((most, word) => Math.max(most, word.width), 0);
}

function widest(texts: readonly MeasuredText[], widthOf: (text: MeasuredText) => number): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
}

/** Returns the smallest width at which nearly all cells need at most this many lines. */
function narrowest({ cells }: ColumnContents, lines: number, least: number, fullWidth: number): number {
  const mayBeLong = Math.floor(cells.length / longRowOneIn);
  const isEnough = (width: number) => {
    let long = 0;
    for (const cell of cells)
      if (cell.width > width * lines || (cell.width > width && wrap(cell, width).length > lines)) long++;
    return long <= mayBeLong;
  };
  let [low, high] = [Math.min(least, fullWidth), fullWidth];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

/** Gives the spare width to the columns that lack least: a short label stays on one line, and only long texts are broken. */
function distribute(
  widths: readonly number[],
  fullWidths: readonly number[],
  spare: number,
): readonly number[] {
  const enlarged = [...widths];
  const missing = (index: number) => (fullWidths[index] ?? 0) - (widths[index] ?? 0);
  let remaining = spare;
  for (const index of [...widths.keys()].toSorted((a, b) => missing(a) - missing(b))) {
    const added = Math.min(missing(index), remaining);
    enlarged[index] = (enlarged[index] ?? 0) + added;
    remaining -= added;
  }
  return enlarged;
}
