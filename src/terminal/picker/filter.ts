// Filters rows: keeps the ones that contain every word of the query, anywhere.

import type { Row } from './entry.ts';
import { foldCase } from './fold-case.ts';

/** Returns the indices of matching rows in order; for an empty query, all except the rows that only a search finds. */
export function filterRows(rows: readonly Row[], query: string): readonly number[] {
  const words = foldCase(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.flatMap(({ searchText, isOnlyFound }, index) =>
    words.every((word) => searchText.includes(word)) && !(isOnlyFound && words.length === 0) ? [index] : [],
  );
}

/** `2 of 14`: the second number counts the rows listed without a filter, or those this filter could find. */
export function countRows(rows: readonly Row[], query: string): string {
  const all = query.trim() === '' ? filterRows(rows, '').length : rows.length;
  return `${filterRows(rows, query).length} of ${all}`;
}
