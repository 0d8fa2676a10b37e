// Draws records in aligned columns if they fit the terminal, otherwise as blocks of labelled values. Cuts only very long cells.

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
  /** A list leaves it out first, unless two records would look the same without it. */
  readonly yields?: true;
  readonly format?: (record: R, style: Style) => Format | undefined;
}

/** A record and its cells, sanitised to one line each. */
export interface Row<R> {
  readonly record: R;
  readonly texts: readonly string[];
}

const gap = 2;
/** Rows with more lines are hard to tell apart, so blocks are better... */
const maxLines = 3;
/** ...unless only one row in ten is longer. */
const longRowOneIn = 10;
/** If a piece fits in no line, a column of this width is as good as a wider one. */
const enoughWidth = 24;

/** Draws blocks if a table does not fit. The first part sets the widths; one that does not fit sets new ones, and repeats the titles. */
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
    const titles = contents.map(({ title }, index) => format(wrap(title, widths[index] ?? 0), style.strong));
    const lines = rows.map(({ record }, rowIndex) =>
      columns.map((column, index) => {
        const cell = contents[index]?.cells[rowIndex] ?? measure('');
        return format(wrapField(cell, widths[index] ?? 0, maxFieldLines), column.format?.(record, style));
      }),
    );
    if (before === layout) return drawAligned(lines, widths);
    return `${before === 'none' ? '' : '\n'}${drawAligned([titles, ...lines], widths)}`;
  };
}

/** Chalk would print the other arguments of `map` too. */
export function format(lines: readonly string[], as: Format = unchanged): readonly string[] {
  return lines.map((line) => (line === '' ? '' : as(line)));
}

type ColumnContents = Readonly<ReturnType<typeof measureColumns>[number]>;

function measureColumns<R>(columns: readonly Column<R>[], rows: readonly Row<R>[]) {
  const cells = rows.map(({ texts }) => texts.map((text) => measureField(text, rows.length)));
  return columns.map(({ title, unbroken }, index) => ({
    unbroken,
    title: measure(title),
    cells: cells.map((row) => row[index] ?? measure('')),
  }));
}

function fitInto(contents: readonly ColumnContents[], widths: readonly number[]): boolean {
  return contents.every(({ unbroken, cells }, index) => {
    const width = widths[index] ?? 0;
    return cells.every((cell) => {
      if (cell.width <= width) return true;
      if (unbroken === true || (unbroken === 'words' && widestWord(cell) > width)) return false;
      const lines = wrap(cell, width);
      return lines.length <= maxLines && lines.every((line) => displayWidth(line) <= width);
    });
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
  const beside = Math.max(0, ...cells.map(({ column }) => displayWidth(column.title))) + ': '.length;
  return cells
    .flatMap(({ column, value }) => {
      const lines = (room: number) =>
        format(wrapField(value, room, maxFieldLines), column.format?.(record, style));
      const name = `${column.title}:`;
      const room = width - beside;
      const needed = minWidth(value, width, 0);
      if (needed <= room && (value.width <= room || room >= enoughWidth)) {
        const [first = '', ...rest] = lines(room);
        return [
          style.faint(name) + ' '.repeat(beside - displayWidth(name)) + first,
          ...rest.map((line) => ' '.repeat(beside) + line),
        ];
      }
      // Too long to go beside the name: print below it, indented unless a piece needs the whole line.
      const indent = Math.min(gap, width - needed);
      return [
        ...format(wrap(measure(name), width), style.faint),
        ...lines(width - indent).map((line) => ' '.repeat(indent) + line),
      ];
    })
    .join('\n');
}

/** The lines of each cell of a row, already broken. */
type AlignedRow = readonly (readonly string[])[];

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
  const lines = rows.flatMap((cells) => {
    const height = Math.max(1, ...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, lineIndex) => cells.map((cell) => cell[lineIndex] ?? ''));
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

/** Returns the widths that need the fewest lines; undefined if blocks are better. */
function fitWidths(columns: readonly ColumnContents[], width: number): readonly number[] | undefined {
  const fullWidths = columns.map(({ title, cells }) => widest([title, ...cells], (cell) => cell.width));
  if (totalOf(fullWidths) <= width) return fullWidths;
  const least = columns.map(({ unbroken, title, cells }) =>
    widest([title, ...cells], (cell) => {
      if (unbroken === true) return cell.width;
      return unbroken === 'words' ? widestWord(cell) : minWidth(cell, width, enoughWidth);
    }),
  );
  for (let lines = 1; lines <= maxLines; lines++) {
    const widths = columns.map((column, index) =>
      narrowest(column, lines, least[index] ?? 0, fullWidths[index] ?? 0),
    );
    const remainingWidth = width - totalOf(widths);
    if (remainingWidth >= 0) return distribute(widths, fullWidths, remainingWidth);
  }
  return undefined;
}

export function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, cells) => sum + (cells === 0 ? 0 : cells + gap), -gap);
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
function distribute(widths: readonly number[], fullWidths: readonly number[], spare: number) {
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
