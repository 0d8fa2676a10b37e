// Prepares the entries of a picker for a terminal: sanitises them, and joins the text that the filter searches. The filter keeps
// the rows that contain every word of the query, anywhere.

import { sanitizeLine } from '../sanitize.ts';
import { displayWidth } from '../width.ts';
import { foldCase } from './fold-case.ts';

export interface Entry<T> {
  /** Shown first, as the user knows it: a URL, a name. */
  readonly title: string;
  /** The most important first: if space is short, the last are omitted. The first tells equal titles apart. */
  readonly details?: readonly string[];
  /** The index of the detail that the user must see of each row, even if the title or the first detail is shortened for it. */
  readonly needed?: number;
  /** What the filter searches besides title and details. */
  readonly search?: readonly string[];
  /** Listed only where the filter finds it; `otherwise`: and finds nothing else. */
  readonly isOnlyFound?: boolean | 'otherwise';
  readonly value: T;
}

export type Row = Readonly<ReturnType<typeof toRows>[number]>;

/** Wider than any terminal. */
const maxMeasured = 4096;

export function toRows(entries: readonly Entry<unknown>[]) {
  return entries.map((entry) => {
    const title = sanitizeLine(entry.title);
    const details = (entry.details ?? []).map(sanitizeLine);
    return {
      title,
      details,
      needed: entry.needed,
      isOnlyFound: entry.isOnlyFound ?? false,
      // Measured once: each keypress needs the width of every row.
      titleWidth: displayWidth(title.slice(0, maxMeasured)),
      detailWidths: details.map((detail) => displayWidth(detail.slice(0, maxMeasured))),
      searchText: foldCase([entry.title, ...(entry.details ?? []), ...(entry.search ?? [])].join('\n')),
    };
  });
}

/** Returns the indices of matching rows in order; for an empty query, all except the rows that only a search finds. */
export function filterRows(rows: readonly Row[], query: string): readonly number[] {
  const words = foldCase(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = rows.flatMap(({ searchText, isOnlyFound }, index) =>
    words.every((word) => searchText.includes(word)) && !(isOnlyFound && words.length === 0) ? [index] : [],
  );
  const first = found.filter((index) => rows[index]?.isOnlyFound !== 'otherwise');
  return first.length > 0 ? first : found;
}

/** `2 of 14`: the second number counts the rows listed without a filter, or those this filter could find. */
export function countRows(rows: readonly Row[], query: string): string {
  const all = query.trim() === '' ? filterRows(rows, '').length : rows.length;
  return `${filterRows(rows, query).length} of ${all}`;
}
