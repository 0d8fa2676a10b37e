// Folders as a tree, each followed by its contents. A folder with several parents appears in each of them, but only once with
// its contents.

import { isDeleted } from '#cli/resolve/resolve-place.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Account, Folder } from '#contract/read-only-records.ts';

export interface ReadFolder {
  readonly record: Folder;
  readonly raw: JsonObject;
}

export interface FolderNode extends ReadFolder {
  readonly parent: FolderNode | undefined;
  /** 1 at the top. */
  readonly depth: number;
  readonly type: 'space' | 'project' | 'folder';
  /** Its contents are shown where it is on the highest level. */
  readonly isRepeated: boolean;
}

/** A path shows no more levels, and a tree draws no more: all levels of deep folders would take very long. */
export const maxLevels = 30;

/** The scope of the account's root, whose folders are at the top. */
const rootScope = 'WsRoot';

/** Fills in missing scopes, as far as a list of folders needs them. */
export function fillScopes(
  folders: readonly ReadFolder[],
  { rootFolderId, recycleBinId }: Pick<Account, 'rootFolderId' | 'recycleBinId'>,
): readonly ReadFolder[] {
  const byId = new Map(folders.map((folder) => [folder.record.id, folder]));
  const deleted = new Set(recycleBinId === undefined ? [] : [recycleBinId]);
  // The loop also visits the ids that it adds.
  for (const id of deleted) for (const child of byId.get(id)?.record.childIds ?? []) deleted.add(child);
  return folders.map((folder) => {
    const { id, scope } = folder.record;
    const newScope = id === rootFolderId ? rootScope : deleted.has(id) ? 'RbFolder' : undefined;
    return scope !== undefined || newScope === undefined
      ? folder
      : { ...folder, record: { ...folder.record, scope: newScope } };
  });
}

/** In the order of the tree, each once with its contents, even if folders contain each other. `startId`: only what is in that folder. */
export function listFolderNodes(
  folders: readonly ReadFolder[],
  spaceIds: ReadonlySet<string>,
  startId?: string,
): readonly FolderNode[] {
  const listed = folders.filter(
    ({ record: { id, scope } }) => id === startId || (scope !== rootScope && !isDeleted({ scope })),
  );
  const byId = new Map(listed.map((folder) => [folder.record.id, folder]));
  const nodes: FolderNode[] = [];
  const expanded = new Set<string>();
  const addTree = (top: readonly ReadFolder[]) => {
    const depths = leastDepths(top, byId, expanded);
    const pending: { folder: ReadFolder; parent?: FolderNode }[] = top
      .map((folder) => ({ folder }))
      .toReversed();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { folder, parent } = next;
      const { id, project } = folder.record;
      const depth = (parent?.depth ?? 0) + 1;
      const isRepeated = expanded.has(id) || depths.get(id) !== depth;
      const type = spaceIds.has(id) ? 'space' : project === undefined ? 'folder' : 'project';
      const node: FolderNode = { ...folder, parent, depth, type, isRepeated };
      nodes.push(node);
      if (isRepeated) continue;
      expanded.add(id);
      for (const child of childrenOf(folder.record, byId).toReversed())
        pending.push({ folder: child, parent: node });
    }
  };

  if (startId !== undefined) {
    const start = byId.get(startId);
    // A cycle may lead back to the start, which is not part of its own contents.
    byId.delete(startId);
    addTree(start ? childrenOf(start.record, byId) : []);
    return nodes;
  }
  const childIds = new Set(listed.flatMap(({ record }) => record.childIds ?? []));
  addTree(listed.filter(({ record }) => !childIds.has(record.id)));
  // Folders that contain only each other are below no root.
  for (const folder of listed) if (!expanded.has(folder.record.id)) addTree([folder]);
  return nodes;
}

/** The highest level of each folder, by id. Its contents are shown there, since --depth leaves out lower levels. */
function leastDepths(
  top: readonly ReadFolder[],
  byId: ReadonlyMap<string, ReadFolder>,
  expanded: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  let level = top;
  for (let depth = 1; level.length > 0; depth++) {
    const newFolders = level.filter(({ record: { id } }) => {
      const isNew = !depths.has(id) && !expanded.has(id);
      if (isNew) depths.set(id, depth);
      return isNew;
    });
    level = newFolders.flatMap(({ record }) => childrenOf(record, byId));
  }
  return depths;
}

function childrenOf({ childIds = [] }: Folder, byId: ReadonlyMap<string, ReadFolder>): readonly ReadFolder[] {
  return [...new Set(childIds)].flatMap((id) => byId.get(id) ?? []);
}

/** The titles on the path to a folder, with its own; only the last titles of a very long path. */
export function formatPath(node: FolderNode): string {
  const titles: string[] = [];
  let current: FolderNode | undefined = node;
  for (; current !== undefined && titles.length < maxLevels; current = current.parent)
    titles.push(titleOf(current));
  if (current !== undefined) titles.push('…');
  return titles.toReversed().join(' / ');
}

export const titleOf = ({ record: { id, title } }: ReadFolder): string => title || id;
