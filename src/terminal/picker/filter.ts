// Filters rows: those that contain every word of the query, anywhere.

import { type Keystroke, toOneLine } from '../keystrokes.ts';
import type { Row } from './entry.ts';
import { foldCase } from './fold-case.ts';
import { maxQueryLength } from './keys.ts';

/** The indices of the rows, in their order; all of them where nothing was typed. */
export function filterRows(rows: readonly Row[], query: string): readonly number[] {
  const words = foldCase(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.flatMap(({ searchText }, index) =>
    words.every((word) => searchText.includes(word)) ? [index] : [],
  );
}

/** Of several lines the first: what follows was meant for questions that nobody has seen either. */
export function initialQuery(strokes: readonly Keystroke[]): string {
  let text = '';
  for (const { kind, text: typed } of strokes) {
    if (typed === '\r' || typed === '\n') break;
    if (kind === 'text') text += typed;
    else if (kind === 'paste') text += toOneLine(typed);
    else if (typed === '\x7f' || typed === '\b') text = [...text].slice(0, -1).join('');
    else if (typed === '\x15') text = '';
  }
  return text.trim().slice(0, maxQueryLength);
}
