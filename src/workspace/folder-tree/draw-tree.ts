// Draws folders as a tree, as wide as the terminal: with lines, or with spaces for a screen reader or an encoding without lines.
// Parents that only show where a folder is have no id.

import { shorten } from '#terminal/picker/shorten.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { displayWidth } from '#terminal/width.ts';
import { measureField, wrapField } from '#terminal/wrap.ts';
import { titleOf } from './folder-nodes.ts';
import type { TreeRow } from './tree-rows.ts';

const lines = { branch: '├─ ', lastBranch: '└─ ', passing: '│  ', nothing: '   ' };
const spaces = { branch: '  ', lastBranch: '  ', passing: '  ', nothing: '  ' };

/** Room for an id and a few letters beside the lines of the tree. */
const minTextWidth = 28;
const minTitleWidth = 8;

export function drawTree(
  rows: readonly TreeRow[],
  width: number,
  {
    withLines,
    isOneLine,
    redact,
  }: {
    readonly withLines: boolean;
    /** Cuts the middle out of a title that is too long. */
    readonly isOneLine: boolean;
    readonly redact: (text: string) => string;
  },
): string {
  const guides = withLines ? lines : spaces;
  const indent = guides.nothing.length;
  const maxLevels = Math.max(1, Math.floor((width - minTextWidth) / indent));
  return rows
    .flatMap((row) => {
      // Deep in a tree, the outer levels are left out for the title.
      const levels = row.continues.slice(-maxLevels);
      const outerLevels = levels
        .slice(0, -1)
        .map((continues) => (continues ? guides.passing : guides.nothing));
      const continues = levels.at(-1);
      const first = continues === undefined ? '' : continues ? guides.branch : guides.lastBranch;
      const next = continues === undefined ? '' : continues ? guides.passing : guides.nothing;
      const indentation = outerLevels.join('');
      const room = width - levels.length * indent;
      const title = sanitizeLine(redact(titleOf(row.node)));
      const details = detailsOf(row);
      const titleRoom = room - displayWidth(details);
      const shownTitle = isOneLine && titleRoom >= minTitleWidth ? shorten(title, [], titleRoom) : title;
      return wrapField(measureField(shownTitle + details), room).map(
        (text, index) => indentation + (index === 0 ? first : next) + text,
      );
    })
    .join('\n');
}

function detailsOf({ node: { record, type }, isContext, isElsewhere }: TreeRow): string {
  const parts = [
    isContext ? '' : record.id,
    type === 'folder' ? '' : type,
    isElsewhere ? '(expanded elsewhere)' : '',
  ];
  return parts.flatMap((part) => (part ? ['  ', part] : [])).join('');
}
