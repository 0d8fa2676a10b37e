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
import { ErrorResponse, invalidParameter } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { originOf, type Session } from '../service/service.ts';
import { canSeeFolder, isInBin, requireFolder, withAncestors } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type {
  Store,
  StoredCustomField,
  Folder as StoredFolder,
  StoredWorkflow,
  User,
} from '../state/store.ts';
import { permalinkOf } from '../task/permalink-of.ts';
import { type ArgumentsOf, type EndpointRequest, type Handlers, idOf, pageResult } from './endpoint.ts';

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
  {
    service,
    session,
  }: Pick<EndpointRequest<unknown>, 'service'> & {
    readonly session: Pick<Session, 'user' | 'account'>;
  },
  folder: StoredFolder,
  children = childrenByFolder(service.store, session.user),
): Folder {
  const { id, accountId, title, kind, description = '', parentIds, sharedIds, customFields } = folder;
  const { customItemTypeId, project } = folder;
  const { createdDate = requireEntry(service.store.accounts, accountId).createdDate } = folder;
  const { updatedDate = createdDate, workflowId = standardWorkflow(service.store, accountId) } = folder;
  // Most accounts have no deleted folder, and then the way up is not searched.
  const hasDeleted = children.has(requireEntry(service.store.accounts, accountId).recycleBinId);
  return {
    id,
    accountId,
    title,
    description,
    childIds: children.get(id) ?? [],
    parentIds,
    sharedIds,
    scope: hasDeleted && isInBin(service.store, folder) ? 'RbFolder' : scopes[kind],
    permalink: permalinkOf(originOf(service, session.account.dataCentre), folder),
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

export function toContactRecord({ user: me }: Session, user: User): Contact {
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
  id,
  accountId,
  title,
  type,
  settings,
}: StoredCustomField): CustomFieldDefinition => ({
  id,
  accountId,
  title,
  type,
  settings,
});

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

function visibleFolders({ service, session }: EndpointRequest<unknown>): StoredFolder[] {
  return [...service.store.folders.values()].filter((one) => canSeeFolder(session.user, one));
}

/** The folders in one, or with descendants also those below them. */
function foldersIn(
  request: EndpointRequest<ArgumentsOf<'listSubfolders'>>,
  kind: 'folder' | 'space',
): StoredFolder[] {
  const { service, session, arguments: filters } = request;
  const { store } = service;
  const { id } = requireFolder(store, session.user, idOf(request, `${kind}Id`), kind);
  return visibleFolders(request).filter(
    ({ parentIds }) =>
      parentIds.includes(id) || (filters.descendants === true && withAncestors(store, parentIds).has(id)),
  );
}

function listFolders(
  request: EndpointRequest<ArgumentsOf<'listFolders'>>,
  all: readonly StoredFolder[],
): ApiResult {
  const { service, session, arguments: filters } = request;
  const { permalink, project } = filters;
  const workspace = originOf(service, session.account.dataCentre);
  const found = all.filter(
    (folder) =>
      (project === undefined || (folder.project !== undefined) === project) &&
      (permalink === undefined || permalinkOf(workspace, folder) === permalink),
  );
  const children = childrenByFolder(service.store, session.user);
  return pageResult(request, 'folders', found, (one) => toFolderRecord(request, one, children));
}

/** Of the account, or only of one space. */
function listFields(request: EndpointRequest<unknown>, spaceId?: string): ApiResult {
  const { service, session } = request;
  const own = [...service.store.customFields.values()].filter((one) => one.accountId === session.account.id);
  const wanted = spaceId === undefined ? own : own.filter((one) => one.spaceId === spaceId);
  return pageResult(request, 'customfields', wanted, toCustomFieldRecord);
}

/** A space has its own workflows and the account's standard one. */
function listWorkflowsOf(request: EndpointRequest<unknown>, spaceId?: string): ApiResult {
  const { service, session } = request;
  const own = [...service.store.workflows.values()].filter((one) => one.accountId === session.account.id);
  const wanted =
    spaceId === undefined ? own : own.filter((one) => one.spaceId === spaceId || one.standard === true);
  return pageResult(request, 'workflows', wanted, toWorkflowRecord);
}

const spaceIdOf = (request: EndpointRequest<unknown>) =>
  requireFolder(request.service.store, request.session.user, idOf(request, 'spaceId'), 'space').id;

/** In lower case: see assumption.ts. */
const contactTypes: readonly string[] = ['person', 'group', 'robot'];

export const accountHandlers = {
  getAccount({ session }) {
    const { dataCentre: _, ...account } = session.account;
    const data: Account[] = [account];
    return { kind: 'accounts', data };
  },
  listContacts(request) {
    const { service, session, arguments: filter } = request;
    const type = filter.type?.toLowerCase();
    if (type !== undefined && !contactTypes.includes(type)) {
      throw invalidParameter(
        'type',
        `${formatValue(filter.type)} is not one of Person, Group, Robot`,
        'contact-type',
      );
    }
    const name = filter.name?.toLowerCase();
    const found = [...service.store.users.values()].filter(
      (user) =>
        user.accountId === session.account.id &&
        (filter.me !== true || user.id === session.user.id) &&
        (filter.email === undefined || user.email.toLowerCase() === filter.email.toLowerCase()) &&
        (name === undefined || `${user.firstName} ${user.lastName}`.toLowerCase().includes(name)) &&
        (type === undefined || user.type.toLowerCase() === type) &&
        (filter.active === undefined || isActive(user) === filter.active),
    );
    return pageResult(request, 'contacts', found, (user) => toContactRecord(session, user));
  },
  listSpaces(request) {
    const spaces = visibleFolders(request).filter(({ kind }) => kind === 'space');
    return pageResult(request, 'spaces', spaces, toSpaceRecord);
  },
  listFolders(request) {
    const root = request.session.account.rootFolderId;
    const all = visibleFolders(request);
    const isWhole = request.arguments.descendants !== false;
    return listFolders(request, isWhole ? all : all.filter(({ parentIds }) => parentIds.includes(root)));
  },
  listSubfolders: (request) => listFolders(request, foldersIn(request, 'folder')),
  listSpaceFolders: (request) => listFolders(request, foldersIn(request, 'space')),
  listCustomFields: (request) => listFields(request),
  listSpaceCustomFields: (request) => listFields(request, spaceIdOf(request)),
  listWorkflows: (request) => listWorkflowsOf(request),
  listSpaceWorkflows: (request) => listWorkflowsOf(request, spaceIdOf(request)),
  listAuditLog(request) {
    const { service, session } = request;
    if (!session.user.admin)
      throw new ErrorResponse('access_forbidden', 'Only administrators may read the audit log', 'audit-log');
    const own = [...service.store.audit.values()].filter(({ accountId }) => accountId === session.account.id);
    return pageResult(request, 'auditLog', own, ({ accountId: _, ...entry }) => entry);
  },
} satisfies Partial<Handlers>;
