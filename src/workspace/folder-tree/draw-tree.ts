// Draws the folders that match as a tree, as wide as the terminal: with lines, or with spaces for a screen reader or an encoding
// without lines. Parents that only show where such a folder is have no id.

import { shorten } from '#terminal/picker/shorten.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { displayWidth } from '#terminal/width.ts';
import { measureField, wrapField } from '#terminal/wrap.ts';
import { type FolderNode, maxLevels, titleOf } from './folder-nodes.ts';

interface TreeRow {
  readonly node: FolderNode;
  /** True for a parent that is not listed itself, but shows where a listed folder is. */
  readonly isContext: boolean;
  /** Its contents are shown elsewhere in the tree. */
  readonly isElsewhere: boolean;
  /** For each level from the second on, whether another row of the same folder follows below. Only the last levels of very many. */
  readonly continues: readonly boolean[];
}

export function treeRows(nodes: readonly FolderNode[], selected: readonly FolderNode[]): readonly TreeRow[] {
  const listed = new Set(selected);
  const shown = new Set<FolderNode>();
  for (const node of selected)
    for (let next: FolderNode | undefined = node; next !== undefined && !shown.has(next); next = next.parent)
      shown.add(next);
  const rows: TreeRow[] = [];
  // From the end, to know for each row whether its parent has another row below.
  const parents = new Set<FolderNode | undefined>();
  const continuesOf = new Map<FolderNode, boolean>();
  for (const node of nodes.toReversed()) {
    if (!shown.has(node)) continue;
    continuesOf.set(node, parents.has(node.parent));
    parents.add(node.parent);
  }
  const parentIds = new Set([...parents].flatMap((node) => node?.record.id ?? []));
  for (const node of nodes) {
    if (!shown.has(node)) continue;
    const continues: boolean[] = [];
    let next: FolderNode | undefined = node;
    for (; next?.parent !== undefined && continues.length < maxLevels; next = next.parent)
      continues.push(continuesOf.get(next) ?? false);
    rows.push({
      node,
      isContext: !listed.has(node),
      isElsewhere: node.isRepeated && parentIds.has(node.record.id),
      continues: continues.toReversed(),
    });
  }
  return rows;
}

const lines = { branch: '├─ ', lastBranch: '└─ ', passing: '│  ', nothing: '   ' };
const spaces = { branch: '  ', lastBranch: '  ', passing: '  ', nothing: '  ' };

/** Room for an id and a few letters beside the lines of the tree. */
const minTextWidth = 28;
const minTitleWidth = 8;

interface TreeStyle {
  readonly withLines: boolean;
  /** Cuts the middle out of a title that is too long. */
  readonly isOneLine: boolean;
  readonly redact: (text: string) => string;
}

export function drawTree(rows: readonly TreeRow[], width: number, style: TreeStyle): string {
  const { withLines, isOneLine, redact } = style;
  const guides = withLines ? lines : spaces;
  const indent = guides.nothing.length;
  const drawnLevels = Math.max(1, Math.floor((width - minTextWidth) / indent));
  return rows
    .flatMap((row) => {
      // Deep in a tree, the outer levels are left out for the title.
      const levels = row.continues.slice(-drawnLevels);
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
  const parts = [!isContext && record.id, type !== 'folder' && type, isElsewhere && '(expanded elsewhere)'];
  return parts.flatMap((part) => (part ? ['  ', part] : [])).join('');
}
