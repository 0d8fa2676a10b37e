// The endpoints that list: the account, contacts, spaces, folders, custom fields, workflows, the audit log. And the records
// of these, for read-by-id.ts too.

import type {
  Account,
  Contact,
  CustomFieldDefinition,
  Folder,
  Space,
  Workflow,
} from '#contract/read-only-records.ts';
import { formatValue } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { forbidden, invalidParameter } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { canSeeFolder, isInBin, withAncestors } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type {
  Store,
  StoredCustomField,
  Folder as StoredFolder,
  StoredWorkflow,
  User,
} from '../state/store.ts';
import { permalinkOf } from '../task/permalink-of.ts';
import {
  type ArgumentsOf,
  type Caller,
  type EndpointRequest,
  folderOf,
  type Handlers,
  pageResult,
} from './endpoint.ts';

const scopes: Readonly<Record<StoredFolder['kind'], string>> = {
  root: 'WsRoot',
  bin: 'RbRoot',
  space: 'WsFolder',
  folder: 'WsFolder',
  project: 'WsFolder',
};

/** The ids of the folders in each folder that the user sees: found once for a list of records. */
export function childrenByFolder(store: Store, user: User): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const folder of store.folders.values()) {
    if (!canSeeFolder(user, folder)) continue;
    for (const id of folder.parentIds) {
      const known = children.get(id);
      if (known === undefined) children.set(id, [folder.id]);
      else known.push(folder.id);
    }
  }
  return children;
}

/** That of a folder which has no other. */
function standardWorkflow({ workflows }: Store, accountId: string): string | undefined {
  for (const one of workflows.values())
    if (one.standard === true && one.accountId === accountId) return one.id;
  return undefined;
}

export function toFolderRecord(
  { store, user, workspace }: Caller,
  folder: StoredFolder,
  children = childrenByFolder(store, user),
): Folder {
  const { id, accountId, title, kind, description = '', parentIds, sharedIds, customFields } = folder;
  const { customItemTypeId, project } = folder;
  const account = requireEntry(store.accounts, accountId);
  const { createdDate = account.createdDate } = folder;
  const { updatedDate = createdDate, workflowId = standardWorkflow(store, accountId) } = folder;
  // Most accounts have no deleted folder, and then the way up is not searched.
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
    customFields,
    space: kind === 'space',
    createdDate,
    updatedDate,
    ...omitUndefined({ workflowId, customItemTypeId, project }),
  };
}

export const toSpaceRecord = ({ id, title }: StoredFolder): Space => ({
  id,
  title,
  accessType: 'Public',
  archived: false,
});

const isActive = ({ deleted, deactivated }: User) => !deleted && !deactivated;

export function toContactRecord(me: User, user: User): Contact {
  const { id, accountId, firstName, lastName, type, email, role, admin, deleted } = user;
  const active = isActive(user);
  return {
    id,
    firstName,
    lastName,
    type,
    profiles: [{ accountId, email, role, external: false, admin, owner: admin, active }],
    avatarUrl: `https://files.example.com/avatars/${id}.png`,
    timezone: 'Europe/Dublin',
    locale: 'en',
    deleted,
    me: id === me.id,
  };
}

export const toCustomFieldRecord = ({
  values: _,
  spaceId: __,
  ...record
}: StoredCustomField): CustomFieldDefinition => record;

const colors = { Active: 'Blue', Completed: 'Green', Deferred: 'Gray', Cancelled: 'Gray' } as const;

export function toWorkflowRecord({ id, name, standard, hidden, statuses }: StoredWorkflow): Workflow {
  return {
    id,
    name,
    standard: standard === true,
    hidden: hidden === true,
    customStatuses: statuses.map((one) => ({
      ...one,
      standardName: standard === true,
      standard: standard === true,
      color: colors[one.group],
      hidden: false,
    })),
  };
}

const visibleFolders = ({ store, user }: Caller): StoredFolder[] =>
  [...store.folders.values()].filter((one) => canSeeFolder(user, one));

/** The folders in one, or with descendants also those below them. */
function foldersIn(
  request: EndpointRequest<ArgumentsOf<'listSubfolders'>>,
  kind: 'folder' | 'space',
): StoredFolder[] {
  const { store, arguments: filters } = request;
  const { id } = folderOf(request, kind);
  return visibleFolders(request).filter(
    ({ parentIds }) =>
      parentIds.includes(id) || (filters.descendants === true && withAncestors(store, parentIds).has(id)),
  );
}

function listFolders(
  request: EndpointRequest<ArgumentsOf<'listFolders'>>,
  all: readonly StoredFolder[],
): ApiResult {
  const { store, user, workspace } = request;
  const { permalink, project } = request.arguments;
  const found = all.filter(
    (folder) =>
      (project === undefined || (folder.project !== undefined) === project) &&
      (permalink === undefined || permalinkOf(workspace, folder) === permalink),
  );
  const children = childrenByFolder(store, user);
  return pageResult(request, 'folders', found, (one) => toFolderRecord(request, one, children));
}

/** The records of the account, or only those of the space; a workflow that is standard is of every space. */
const ownOf = <
  T extends { readonly accountId: string; readonly spaceId?: string; readonly standard?: boolean },
>(
  { account }: Caller,
  all: ReadonlyMap<string, T>,
  space?: StoredFolder,
): readonly T[] =>
  [...all.values()].filter(
    (one) =>
      one.accountId === account.id &&
      (space === undefined || one.spaceId === space.id || one.standard === true),
  );

const listFields = (request: EndpointRequest<unknown>, space?: StoredFolder): ApiResult =>
  pageResult(request, 'customfields', ownOf(request, request.store.customFields, space), toCustomFieldRecord);

const listWorkflows = (request: EndpointRequest<unknown>, space?: StoredFolder): ApiResult =>
  pageResult(request, 'workflows', ownOf(request, request.store.workflows, space), toWorkflowRecord);

/** In lower case: see assumption.ts. */
const contactTypes: readonly string[] = ['person', 'group', 'robot'];

export const accountHandlers = {
  getAccount({ account: { dataCentre: _, ...account } }) {
    const data: Account[] = [account];
    return { kind: 'accounts', data };
  },
  listContacts(request) {
    const { store, user: me, arguments: filter } = request;
    const type = filter.type?.toLowerCase();
    if (type !== undefined && !contactTypes.includes(type)) {
      throw invalidParameter(
        'type',
        `${formatValue(filter.type)} is not one of Person, Group, Robot`,
        'contact-type',
      );
    }
    const name = filter.name?.toLowerCase();
    const found = [...store.users.values()].filter(
      (user) =>
        user.accountId === me.accountId &&
        (filter.me !== true || user.id === me.id) &&
        (filter.email === undefined || user.email.toLowerCase() === filter.email.toLowerCase()) &&
        (name === undefined || `${user.firstName} ${user.lastName}`.toLowerCase().includes(name)) &&
        (type === undefined || user.type.toLowerCase() === type) &&
        (filter.active === undefined || isActive(user) === filter.active),
    );
    return pageResult(request, 'contacts', found, (user) => toContactRecord(me, user));
  },
  listSpaces(request) {
    const spaces = visibleFolders(request).filter(({ kind }) => kind === 'space');
    return pageResult(request, 'spaces', spaces, toSpaceRecord);
  },
  listFolders(request) {
    const root = request.account.rootFolderId;
    const all = visibleFolders(request);
    const isWhole = request.arguments.descendants !== false;
    return listFolders(request, isWhole ? all : all.filter(({ parentIds }) => parentIds.includes(root)));
  },
  listSubfolders: (request) => listFolders(request, foldersIn(request, 'folder')),
  listSpaceFolders: (request) => listFolders(request, foldersIn(request, 'space')),
  listCustomFields: (request) => listFields(request),
  listSpaceCustomFields: (request) => listFields(request, folderOf(request, 'space')),
  listWorkflows: (request) => listWorkflows(request),
  listSpaceWorkflows: (request) => listWorkflows(request, folderOf(request, 'space')),
  listAuditLog(request) {
    if (!request.user.admin) throw forbidden('Only administrators may read the audit log', 'audit-log');
    return pageResult(
      request,
      'auditLog',
      ownOf(request, request.store.audit),
      ({ accountId: _, ...entry }) => entry,
    );
  },
} satisfies Partial<Handlers>;
