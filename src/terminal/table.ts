// A list of records for a person's eyes: aligned columns as wide as the terminal allows.

import Table from 'cli-table3';
import { safeLine } from './safe.ts';
import type { Style } from './style.ts';

export interface Column<R> {
  readonly title: string;
  readonly cell: (record: R) => string;
  /** Never shortened: an id is there to be copied. */
  readonly whole?: true;
  /** How a cell looks on a terminal with colour. */
  readonly look?: (record: R, style: Style) => ((text: string) => string) | undefined;
}

const gap = 2;
/** A column is not squeezed below this many cells. */
const narrowest = 8;

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

export function drawTable<R>(
  columns: readonly Column<R>[],
  records: readonly R[],
  width: number,
  style: Style,
): string {
  const rows = records.map((record) => columns.map((column) => safeLine(column.cell(record))));
  const widths = fit(
    columns.map((column, index) => {
      const wanted = Math.max(column.title.length, ...rows.map((row) => [...(row[index] ?? '')].length));
      return { wanted, least: column.whole ? wanted : Math.min(wanted, narrowest) };
    }),
    width,
  );
  // What has no room at all is left out, from the right: a line that wraps is no table.
  const shown = columns.slice(0, widths.length);
  const table = new Table({
    head: shown.map((column) => style.strong(column.title)),
    chars: noLines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
    colWidths: widths.map((one) => one + gap),
    wordWrap: false,
  });
  records.forEach((record, at) => {
    table.push(
      shown.map((column, index) => {
        const look = column.look?.(record, style) ?? ((text: string) => text);
        return folded(rows[at]?.[index] ?? '', widths[index] ?? 0)
          .map((line) => look(line))
          .join('\n');
      }),
    );
  });
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Whatever does not fit goes onto the next line of its cell: nothing is lost to the width of a window. */
function folded(text: string, width: number): string[] {
  const characters = [...text];
  const lines: string[] = [];
  for (let at = 0; at === 0 || at < characters.length; at += width) {
    lines.push(characters.slice(at, at + width).join(''));
  }
  return lines;
}

interface Wish {
  readonly wanted: number;
  readonly least: number;
}

/** Leaves out columns until their least widths fit, then takes from the widest, one cell at a time, until all does. */
function fit(wishes: readonly Wish[], width: number): number[] {
  const total = (widths: readonly number[]) => widths.reduce((sum, one) => sum + one + gap, -gap);
  const kept = [...wishes];
  while (kept.length > 1 && total(kept.map(({ least }) => least)) > width) kept.pop();
  const widths = kept.map(({ wanted }) => wanted);
  while (total(widths) > width) {
    const spare = widths.map((one, at) => (one > (kept[at]?.least ?? 0) ? one : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}
