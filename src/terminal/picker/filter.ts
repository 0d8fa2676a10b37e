// Filters rows: those that contain every word of the query, anywhere.

import type { Row } from './entry.ts';
import { foldCase } from './fold-case.ts';

/** The indices of the rows, in their order; all of them where nothing was typed. */
export function filterRows(rows: readonly Row[], query: string): readonly number[] {
  const words = foldCase(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.flatMap(({ searchText }, index) =>
    words.every((word) => searchText.includes(word)) ? [index] : [],
  );
}
