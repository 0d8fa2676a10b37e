// Draws folders as a tree, as wide as the terminal: with lines, or with spaces if a screen reader or the encoding cannot take
// lines. Parents that only show where a folder is have no id.

import { shorten } from '#terminal/picker/shorten.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { displayWidth } from '#terminal/width.ts';
import { measureField, wrapField } from '#terminal/wrap.ts';
import { titleOf } from './folder-nodes.ts';
import type { TreeRow } from './select-nodes.ts';

interface Guides {
  readonly branch: string;
  readonly lastBranch: string;
  readonly passing: string;
  readonly nothing: string;
}

const lines: Guides = { branch: '├─ ', lastBranch: '└─ ', passing: '│  ', nothing: '   ' };
const spaces: Guides = { branch: '  ', lastBranch: '  ', passing: '  ', nothing: '  ' };

/** An id and a few letters fit beside what stands before them. */
const leastTextWidth = 28;
const leastTitleWidth = 8;

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
  const mostLevels = Math.max(1, Math.floor((width - leastTextWidth) / indent));
  return rows
    .flatMap((row) => {
      // Deep in a tree the outer levels make way for the title.
      const levels = row.continues.slice(-mostLevels);
      const outer = levels.slice(0, -1).map((more) => (more ? guides.passing : guides.nothing));
      const own = levels.at(-1);
      const first = own === undefined ? '' : own ? guides.branch : guides.lastBranch;
      const next = own === undefined ? '' : own ? guides.passing : guides.nothing;
      const before = outer.join('');
      const room = width - levels.length * indent;
      const title = sanitizeLine(redact(titleOf(row.node)));
      const rest = detailsOf(row);
      const roomForTitle = room - displayWidth(rest);
      const shown = isOneLine && roomForTitle >= leastTitleWidth ? shorten(title, [], roomForTitle) : title;
      return wrapField(measureField(shown + rest), room).map(
        (text, at) => before + (at === 0 ? first : next) + text,
      );
    })
    .join('\n');
}

/** The text after the title. */
function detailsOf({ node: { record, type }, isContext, isElsewhere }: TreeRow): string {
  const parts = [
    isContext ? '' : record.id,
    type === 'folder' ? '' : type,
    isElsewhere ? '(expanded elsewhere)' : '',
  ];
  return parts.flatMap((part) => (part ? ['  ', part] : [])).join('');
}
