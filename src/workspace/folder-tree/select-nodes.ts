// Selects the folders of a tree that match, and the parents that a tree needs to show where they are.

import { type FolderNode, mostLevels } from './folder-nodes.ts';

export interface TreeRow {
  readonly node: FolderNode;
  /** True for a parent that is not listed itself, but shows where a listed folder is. */
  readonly isContext: boolean;
  /** Its contents are shown in another place where it appears. */
  readonly isElsewhere: boolean;
  /** For each level from the second on, whether a row of the same folder follows below: of very many levels, the last ones. */
  readonly continues: readonly boolean[];
}

export function selectNodes(
  nodes: readonly FolderNode[],
  matches: (node: FolderNode) => boolean,
  limit = Number.POSITIVE_INFINITY,
): readonly FolderNode[] {
  const selected: FolderNode[] = [];
  for (const node of nodes) {
    if (selected.length >= limit) break;
    if (matches(node)) selected.push(node);
  }
  return selected;
}

export function treeRows(nodes: readonly FolderNode[], selected: readonly FolderNode[]): readonly TreeRow[] {
  const listed = new Set(selected);
  const shown = new Set<FolderNode>();
  for (const node of selected)
    for (let at: FolderNode | undefined = node; at !== undefined && !shown.has(at); at = at.parent)
      shown.add(at);
  const rows: TreeRow[] = [];
  // From the end, to know of each row whether its parent has another one below.
  const withMore = new Set<FolderNode | undefined>();
  const continuesOf = new Map<FolderNode, boolean>();
  for (const node of nodes.toReversed()) {
    if (!shown.has(node)) continue;
    continuesOf.set(node, withMore.has(node.parent));
    withMore.add(node.parent);
  }
  const parentIds = new Set([...withMore].flatMap((node) => node?.record.id ?? []));
  for (const node of nodes) {
    if (!shown.has(node)) continue;
    const continues: boolean[] = [];
    let at: FolderNode | undefined = node;
    for (; at?.parent !== undefined && continues.length < mostLevels; at = at.parent)
      continues.push(continuesOf.get(at) ?? false);
    rows.push({
      node,
      isContext: !listed.has(node),
      isElsewhere: node.isRepeated && parentIds.has(node.record.id),
      continues: continues.toReversed(),
    });
  }
  return rows;
}
