// Turns type-ahead into the first query of a picker. It filters the list and never picks anything, since no row had been
// shown yet.

import { type Keystroke, toOneLine } from '../keystrokes.ts';
import { maxQueryLength } from './keys.ts';

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
