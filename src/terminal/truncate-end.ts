// Shortens a line for a terminal: its beginning, where it is too long.

import { displayWidth, graphemes } from './width.ts';

export const ellipsis = '…';

/** At most `width` cells. */
export function truncateEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  // A grapheme may take no cell, but not without end.
  let shown = graphemes(text.slice(0, 8 * width));
  while (shown.length > 0 && displayWidth(shown.join('')) > width - 1) shown = shown.slice(0, -1);
  return shown.join('') + ellipsis;
}
