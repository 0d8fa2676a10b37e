// Lays out rows, one line each at any width: the title first, then as many details as fit, in columns. Two rows look the
// same only if there is no room for the detail that distinguishes them.

import { displayWidth } from '../width.ts';
import type { Row } from './entry.ts';
import { shortenAll } from './shorten.ts';

export interface Layout {
  /** By the row's index; at most as wide as was asked for. */
  line(row: number): string;
  /** The details of a row that have no column, and its title where that was shortened. */
  hiddenDetails(row: number): string;
  /** True where some row has something hidden: the same for every filter. */
  readonly hidesDetails: boolean;
}

const gap = 2;
/** A title is not squeezed below this for details that merely help. */
const comfortableTitle = 40;
/** And not below this for the one that tells rows apart. */
const minTitle = 8;

/** `shown`: the indices of the rows that stand one below the other. */
export function createLayout(rows: readonly Row[], shown: readonly number[], width: number): Layout {
  const loose = fitColumns(rows, shown, width, 0);
  return hasDuplicateLines(rows, shown, loose) ? fitColumns(rows, shown, width, 1) : loose;
}

function hasDuplicateLines(rows: readonly Row[], shown: readonly number[], { line }: Layout): boolean {
  const seen = new Map<string, Row>();
  return shown.some((index) => {
    const [row, text] = [rows[index], line(index)];
    const before = seen.get(text);
    if (row) seen.set(text, row);
    return before !== undefined;
  });
}

/** Of any number: as arguments, a hundred thousand would exhaust the stack. */
function max(numbers: readonly number[]): number {
  return numbers.reduce((most, one) => Math.max(most, one), 0);
}

/** `needed`: how many details must have a column. */
function fitColumns(rows: readonly Row[], shown: readonly number[], width: number, needed: number): Layout {
  const longest = (texts: readonly string[]) => max(texts.map(displayWidth));
  const most = max(rows.map(({ details }) => details.length));
  const widths = Array.from({ length: most }, (_, at) =>
    longest(rows.map(({ details }) => details[at] ?? '')),
  );
  const widest = longest(rows.map(({ title }) => title));
  const taken = (count: number) => widths.slice(0, count).reduce((sum, one) => sum + gap + one, 0);
  const wanted = Math.min(widest, Math.max(comfortableTitle, Math.floor(width * 0.6)));
  let count = most;
  while (count > Math.min(needed, most) && width - taken(count) < wanted) count--;
  const room = Math.min(widest, width, Math.max(minTitle, width - taken(count)));
  const titles = shortenColumn(shown, rows, ({ title }) => title, room);
  const left = width - room;
  const inFull = taken(count) <= left;
  // Too narrow even for the first detail: it loses its middle as well.
  const keys =
    inFull || left <= gap
      ? undefined
      : shortenColumn(shown, rows, ({ details }) => details[0] ?? '', left - gap);
  return {
    line(index) {
      const title = titles.get(index) ?? '';
      const details = rows[index]?.details ?? [];
      const cells = inFull
        ? details.slice(0, count).map((text, at) => pad(text, widths[at] ?? 0))
        : [keys?.get(index) ?? ''];
      return [pad(title, room), ...cells].join(' '.repeat(gap)).trimEnd();
    },
    hiddenDetails(index) {
      const row = rows[index];
      if (!row) return '';
      return [
        ...(titles.get(index) === row.title ? [] : [row.title]),
        ...row.details.slice(inFull ? count : 0),
      ]
        .filter((text) => text !== '')
        .join(' '.repeat(gap));
    },
    hidesDetails: count < most || !inFull || widest > room,
  };
}

function shortenColumn(
  shown: readonly number[],
  rows: readonly Row[],
  text: (row: Row) => string,
  width: number,
): ReadonlyMap<number, string> {
  const texts = shortenAll(
    shown.map((index) => {
      const row = rows[index];
      return row ? text(row) : '';
    }),
    width,
  );
  return new Map(shown.map((index, at) => [index, texts[at] ?? '']));
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
