// The record of a folder, project or space in a response.

import * as contract from '#contract/read-only-records.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { briefDescription } from '../html/sanitize.ts';
import { canSeeFolder, isInBin, requireEntry } from '../state/access.ts';
import type { Store, Folder as StoredFolder } from '../state/store.ts';
import { avatarUrlOf, permalinkOf } from '../task/urls.ts';
import type { UpdateContext } from '../update/apply-effects.ts';

type FolderContext = Pick<UpdateContext, 'store' | 'user' | 'workspace'>;
type Children = ReadonlyMap<string, readonly string[]>;

const scopes: { readonly [K in StoredFolder['kind']]?: string } = { root: 'WsRoot', bin: 'RbRoot' };

/** The ids of the visible folders in each folder: built once for a list of records. */
export function childrenByFolder(context: FolderContext): Children {
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

interface FolderReadOptions {
  readonly fields?: readonly contract.FolderField[] | undefined;
  readonly shownIn?: keyof typeof contract.shownFolderFields | 'tree';
  readonly children?: Children;
}

/** Most accounts have no deleted folder: then the ancestors need not be searched. */
export const scopeOf = ({ store }: FolderContext, folder: StoredFolder, children: Children): string =>
  children.has(requireEntry(store.accounts, folder.accountId).recycleBinId) && isInBin(store, folder)
    ? 'RbFolder'
    : (scopes[folder.kind] ?? 'WsFolder');

export function toFolderRecord(
  context: FolderContext,
  folder: StoredFolder,
  { fields = [], shownIn = 'one', children = childrenByFolder(context) }: FolderReadOptions = {},
): contract.Folder {
  const { store, workspace } = context;
  const { id, accountId, title, kind, description = '', parentIds, sharedIds, attachments = [] } = folder;
  const { createdDate = requireEntry(store.accounts, accountId).createdDate, customColumnIds = [] } = folder;
  const { updatedDate = createdDate, workflowId = standardWorkflowId(store, accountId) } = folder;
  const { customFields, customItemTypeId, metadata } = folder;
  // A recording shows no status.
  const { status: _, ...shownProject } = folder.project ?? {};
  const project = folder.project && shownProject;
  const childIds = children.get(id) ?? [];
  const scope = scopeOf(context, folder, children);
  if (shownIn === 'tree') return { id, title, childIds, scope, ...omitUndefined({ project }) };
  const record: { -readonly [K in keyof contract.Folder]: contract.Folder[K] } = {
    id,
    accountId,
    title,
    createdDate,
    updatedDate,
    description,
    sharedIds,
    parentIds,
    childIds,
    superParentIds: [],
    scope,
    hasAttachments: attachments.length > 0,
    permalink: permalinkOf(workspace, folder),
    ...omitUndefined({ workflowId, customItemTypeId, project }),
    metadata,
    customFields,
    briefDescription: briefDescription(description),
    attachmentCount: attachments.length,
    customColumnIds,
    space: kind === 'space',
  };
  const shown = [...contract.shownFolderFields[shownIn], ...fields];
  for (const name of contract.folderField.choices) if (!shown.includes(name)) delete record[name];
  return record;
}

export const visibleFolders = ({ store, user }: FolderContext): StoredFolder[] =>
  [...store.folders.values()].filter((folder) => canSeeFolder(user, folder));

/** The members that no seed sets follow from its id. */
export function toSpaceRecord({ store }: FolderContext, folder: StoredFolder): contract.Space {
  const { id, accountId, title, accessType = 'Public', archived = false } = folder;
  const { workflowId = standardWorkflowId(store, accountId) } = folder;
  return {
    id,
    title,
    avatarUrl: avatarUrlOf(id),
    accessType,
    archived,
    ...(accessType !== 'Personal' && { guestRoleId: `${accountId}NF${id.slice(-8)}` }),
    ...omitUndefined({ defaultProjectWorkflowId: workflowId, defaultTaskWorkflowId: workflowId }),
  };
}
