// Folders as a tree, each followed by its contents. A folder with several parents appears in each of them, but only once with
// its contents.

import { isDeleted } from '#cli/resolve/resolve-place.ts';
import type { JsonObject } from '#client/response.ts';
import type { Account, Folder } from '#contract/read-only-records.ts';

export interface ReadFolder {
  readonly record: Folder;
  readonly raw: JsonObject;
}

export type FolderType = 'space' | 'project' | 'folder';

export interface FolderNode extends ReadFolder {
  readonly parent: FolderNode | undefined;
  /** 1 at the top. */
  readonly depth: number;
  readonly type: FolderType;
  /** Its contents are shown at its place on the highest level. */
  readonly isRepeated: boolean;
}

/** A path shows no more levels than these, and a tree draws no more: with all of them, deep folders would take very long. */
export const mostLevels = 30;

/** The account's root, whose folders are at the top, and its recycle bin. */
const rootScope = 'WsRoot';

/** Whether the account's record is needed to tell which folders are the root and the recycle bin. */
export const needScopes = (folders: readonly ReadFolder[]): boolean =>
  folders.some(({ record }) => record.scope === undefined);

/** Fills in missing scopes, as far as a list of folders needs them. */
export function fillScopes(
  folders: readonly ReadFolder[],
  { rootFolderId, recycleBinId }: Pick<Account, 'rootFolderId' | 'recycleBinId'>,
): readonly ReadFolder[] {
  const byId = new Map(folders.map((one) => [one.record.id, one]));
  const deleted = new Set(recycleBinId === undefined ? [] : [recycleBinId]);
  // The loop also visits what it adds.
  for (const id of deleted) for (const child of byId.get(id)?.record.childIds ?? []) deleted.add(child);
  return folders.map((one) => {
    const { id, scope } = one.record;
    const found = id === rootFolderId ? rootScope : deleted.has(id) ? 'RbFolder' : undefined;
    return scope !== undefined || found === undefined
      ? one
      : { ...one, record: { ...one.record, scope: found } };
  });
}

/**
 * All folders in the order of the tree. `spaceIds` tells spaces from other folders. With `startId`, only what is in that
 * folder. Whatever the service sends, each folder is there once with its contents: also folders that contain each other.
 */
export function listFolderNodes(
  folders: readonly ReadFolder[],
  spaceIds: ReadonlySet<string>,
  startId?: string,
): readonly FolderNode[] {
  const listed = folders.filter(({ record: { id, scope } }) => id === startId || isListed(scope));
  const byId = new Map(listed.map((one) => [one.record.id, one]));
  const nodes: FolderNode[] = [];
  const expanded = new Set<string>();
  const addTree = (top: readonly ReadFolder[]) => {
    const depths = leastDepths(top, byId, expanded);
    const waiting: Waiting[] = top.map((one) => ({ one, parent: undefined })).toReversed();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { one, parent } = next;
      const { id, project } = one.record;
      const depth = (parent?.depth ?? 0) + 1;
      const isRepeated = expanded.has(id) || depths.get(id) !== depth;
      const type = spaceIds.has(id) ? 'space' : project === undefined ? 'folder' : 'project';
      const node: FolderNode = { ...one, parent, depth, type, isRepeated };
      nodes.push(node);
      if (isRepeated) continue;
      expanded.add(id);
      for (const child of childrenOf(one.record, byId).toReversed())
        waiting.push({ one: child, parent: node });
    }
  };

  if (startId !== undefined) {
    const start = byId.get(startId);
    // A cycle may lead back to the start, which is not part of its own contents.
    byId.delete(startId);
    addTree(start ? childrenOf(start.record, byId) : []);
    return nodes;
  }
  const inAnother = new Set(listed.flatMap(({ record }) => record.childIds ?? []));
  addTree(listed.filter(({ record }) => !inAnother.has(record.id)));
  // Folders that contain only each other hang below no root.
  for (const one of listed) if (!expanded.has(one.record.id)) addTree([one]);
  return nodes;
}

interface Waiting {
  readonly one: ReadFolder;
  readonly parent: FolderNode | undefined;
}

function isListed(scope: string | undefined): boolean {
  return scope !== rootScope && !isDeleted({ scope });
}

/** By id: the highest level of each folder. Its contents are shown there, since --depth leaves out lower levels. */
function leastDepths(
  top: readonly ReadFolder[],
  byId: ReadonlyMap<string, ReadFolder>,
  expanded: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  let level = top;
  for (let depth = 1; level.length > 0; depth++) {
    const added = level.filter(({ record: { id } }) => {
      const isNew = !depths.has(id) && !expanded.has(id);
      if (isNew) depths.set(id, depth);
      return isNew;
    });
    level = added.flatMap(({ record }) => childrenOf(record, byId));
  }
  return depths;
}

/** Only the children that are in `byId`. */
function childrenOf({ childIds = [] }: Folder, byId: ReadonlyMap<string, ReadFolder>): readonly ReadFolder[] {
  return [...new Set(childIds)].flatMap((id) => byId.get(id) ?? []);
}

/** The titles on the path to a folder, with its own; only the last ones if there are very many. */
export function formatPath(node: FolderNode): string {
  const titles: string[] = [];
  let at: FolderNode | undefined = node;
  for (; at !== undefined && titles.length < mostLevels; at = at.parent) titles.push(titleOf(at));
  if (at !== undefined) titles.push('…');
  return titles.toReversed().join(' / ');
}

export function titleOf({ record: { id, title } }: ReadFolder): string {
  return title || id;
}
