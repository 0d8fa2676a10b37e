// The rows of a drawn tree: the folders that match, and the parents that show where these folders are.

import { type FolderNode, maxLevels } from './folder-nodes.ts';

export interface TreeRow {
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
