// Which rows match what was typed: those that contain every word of it, anywhere.

import { folded, type Row } from './entry.ts';

/** The indices of the rows, in their order; all of them where nothing was typed. */
export function matching(rows: readonly Row[], query: string): readonly number[] {
  const words = folded(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.flatMap(({ searched }, index) =>
    words.every((word) => searched.includes(word)) ? [index] : [],
  );
}
