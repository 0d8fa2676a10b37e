// Shortens a line for a terminal: its beginning, where it is too long.

import { displayWidth, graphemes } from './width.ts';

export const ellipsis = '…';

export function truncateEnd(text: string, width: number): string {
  // A grapheme may take no cell, but not without end.
  const most = 8 * width;
  if (text.length <= most && displayWidth(text) <= width) return text;
  let shown = graphemes(text.slice(0, most));
  while (shown.length > 0 && displayWidth(shown.join('')) > width - 1) shown = shown.slice(0, -1);
  return shown.join('') + ellipsis;
}
