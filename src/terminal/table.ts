// A list of records for a person's eyes: aligned columns as wide as the terminal allows.

import Table from 'cli-table3';
import { safeLine } from './safe.ts';
import type { Style } from './style.ts';

export interface Column<R> {
  readonly title: string;
  readonly cell: (record: R) => string;
  /** How a cell looks on a terminal with colour. */
  readonly look?: (record: R, style: Style) => ((text: string) => string) | undefined;
}

const gap = 2;
/** A column is not squeezed below this many cells. */
const narrowest = 8;

const noLines = {
  top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '',
  'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '',
};

export function drawTable<R>(columns: readonly Column<R>[], records: readonly R[], width: number, style: Style): string {
  const rows = records.map((record) => columns.map((column) => safeLine(column.cell(record))));
  const widths = fit(
    columns.map((column, index) => Math.max(column.title.length, ...rows.map((row) => [...(row[index] ?? '')].length))),
    width,
  );
  const table = new Table({
    head: columns.map((column) => style.strong(column.title)),
    chars: noLines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
    colWidths: widths.map((one) => one + gap),
    wordWrap: false,
  });
  records.forEach((record, at) => {
    table.push(
      columns.map((column, index) => {
        const text = rows[at]?.[index] ?? '';
        const look = column.look?.(record, style);
        return look ? look(text) : text;
      }),
    );
  });
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Takes from the widest column, one cell at a time, until the line fits. */
function fit(wanted: readonly number[], width: number): number[] {
  const widths = [...wanted];
  const total = () => widths.reduce((sum, one) => sum + one + gap, 0);
  while (total() > width) {
    const widest = Math.max(...widths);
    if (widest <= narrowest) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}
