// The record of a folder, project or space in a response.

import type { Folder, Space } from '#contract/read-only-records.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { canSeeFolder, isInBin } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Store, Folder as StoredFolder } from '../state/store.ts';
import { permalinkOf } from '../task/urls.ts';
import type { UpdateContext } from '../update/draft.ts';

type FolderContext = Pick<UpdateContext, 'store' | 'user' | 'workspace'>;

const scopes: Readonly<Record<StoredFolder['kind'], string>> = {
  root: 'WsRoot',
  bin: 'RbRoot',
  space: 'WsFolder',
  folder: 'WsFolder',
  project: 'WsFolder',
};

/** The ids of the visible folders in each folder: built once for a list of records. */
export function childrenByFolder(context: FolderContext): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const folder of visibleFolders(context))
    for (const parentId of folder.parentIds) {
      const ids = children.get(parentId);
      if (ids === undefined) children.set(parentId, [folder.id]);
      else ids.push(folder.id);
    }
  return children;
}

/** The workflow of a folder without its own. */
export const standardWorkflowId = ({ workflows }: Store, folderAccountId: string): string | undefined =>
  [...workflows.values()].find(({ standard, accountId }) => standard && accountId === folderAccountId)?.id;

export function toFolderRecord(
  context: FolderContext,
  folder: StoredFolder,
  children = childrenByFolder(context),
): Folder {
  const { store, workspace } = context;
  const { id, accountId, title, kind, description = '', parentIds, sharedIds, customFields } = folder;
  const { customItemTypeId, metadata } = folder;
  // A recording shows no status.
  const { status: _, ...project } = folder.project ?? {};
  const account = requireEntry(store.accounts, accountId);
  const { createdDate = account.createdDate } = folder;
  const { updatedDate = createdDate, workflowId = standardWorkflowId(store, accountId) } = folder;
  // Most accounts have no deleted folder: then the ancestors need not be searched.
  const hasDeleted = children.has(account.recycleBinId);
  return {
    id,
    accountId,
    title,
    description,
    childIds: children.get(id) ?? [],
    parentIds,
    sharedIds,
    scope: hasDeleted && isInBin(store, folder) ? 'RbFolder' : scopes[kind],
    permalink: permalinkOf(workspace, folder),
    metadata,
    customFields,
    space: kind === 'space',
    createdDate,
    updatedDate,
    ...omitUndefined({ workflowId, customItemTypeId, project: folder.project && project }),
  };
}

export const visibleFolders = ({ store, user }: FolderContext): StoredFolder[] =>
  [...store.folders.values()].filter((folder) => canSeeFolder(user, folder));

export const toSpaceRecord = ({ id, title }: StoredFolder): Space => ({
  id,
  title,
  accessType: 'Public',
  archived: false,
});
