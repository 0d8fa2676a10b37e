// Redraws the last lines of a terminal in place, for progress and a footer, while other lines are printed above.

import type { Output } from '#world/world.ts';
import { displayWidth, truncateEnd } from './width.ts';

const defaultWidth = 80;
const clearBelow = '\u001b[J';

export function createLiveRegion(output: Pick<Output, 'write' | 'columns'>) {
  let drawn: readonly string[] = [];
  const width = () => output.columns || defaultWidth;
  /** A terminal that became narrower has wrapped the lines. */
  const rowsOf = (line: string) => Math.max(1, Math.ceil(displayWidth(line) / width()));
  return {
    /** Prints lines above the region and redraws it. Cuts the lines of the region to the width. */
    async draw(above: readonly string[], region: readonly string[]) {
      const rows = drawn.reduce((sum, line) => sum + rowsOf(line), 0);
      // The cursor is at the end of the last line.
      const back = drawn.length === 0 ? '' : `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}${clearBelow}`;
      // Leave the last column free: terminals differ in how they wrap there.
      drawn = region.map((line) => truncateEnd(line, width() - 1));
      const text = back + above.map((line) => `${line}\n`).join('') + drawn.join('\n');
      if (text !== '') await output.write(text);
    },
  };
}
