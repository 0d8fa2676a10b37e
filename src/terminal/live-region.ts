// The last lines of a terminal, redrawn in place while other lines are printed above them: what is going on, and a footer.

import type { Output } from '#world/world.ts';
import { displayWidth, truncateEnd } from './width.ts';

const defaultWidth = 80;
const clearBelow = '\u001b[J';

export function createLiveRegion(output: Pick<Output, 'write' | 'columns'>) {
  let drawn: readonly string[] = [];
  const width = () => output.columns || defaultWidth;
  /** A terminal that has become narrower has broken the lines. */
  const rowsOf = (line: string) => Math.max(1, Math.ceil(displayWidth(line) / width()));
  return {
    /** Prints lines that stay, and draws the region below them. Lines of the region are cut to the width. */
    async draw(above: readonly string[], region: readonly string[]) {
      const rows = drawn.reduce((sum, line) => sum + rowsOf(line), 0);
      // The cursor is at the end of the last line.
      const back = drawn.length === 0 ? '' : `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}${clearBelow}`;
      // In the last column, terminals differ in what they do next.
      drawn = region.map((line) => truncateEnd(line, width() - 1));
      const text = back + above.map((line) => `${line}\n`).join('') + drawn.join('\n');
      if (text !== '') await output.write(text);
    },
  };
}
