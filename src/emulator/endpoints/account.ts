// Lists the account, contacts, spaces, folders, custom fields, workflows, the audit log and what only has a name in the contract, and
// reads records by their ids, which the contract does not show: a single unknown id fails the request.

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
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import { tolerate } from '../http/tolerances.ts';
import {
  canSeeFolder,
  canSeeTask,
  isInBin,
  requireFolder,
  requireOwn,
  withAncestors,
} from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type {
  Store,
  StoredCustomField,
  Folder as StoredFolder,
  StoredWorkflow,
  User,
} from '../state/store.ts';
import { numberOf, permalinkOf } from '../task/urls.ts';
import {
  type ArgumentsOf,
  type Caller,
  type EndpointRequest,
  folderOf,
  type Handlers,
  placeOf,
  readEach,
  taskOf,
} from './endpoint.ts';

const scopes: Readonly<Record<StoredFolder['kind'], string>> = {
  root: 'WsRoot',
  bin: 'RbRoot',
  space: 'WsFolder',
  folder: 'WsFolder',
  project: 'WsFolder',
};

/** The ids of the visible folders in each folder: built once for a list of records. */
function childrenByFolder(caller: Caller): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const folder of visibleFolders(caller))
    for (const parentId of folder.parentIds) {
      const ids = children.get(parentId);
      if (ids === undefined) children.set(parentId, [folder.id]);
      else ids.push(folder.id);
    }
  return children;
}

/** The workflow of a folder without its own. */
const standardWorkflowId = ({ workflows }: Store, folderAccountId: string): string | undefined =>
  [...workflows.values()].find(({ standard, accountId }) => standard && accountId === folderAccountId)?.id;

export function toFolderRecord(
  caller: Caller,
  folder: StoredFolder,
  children = childrenByFolder(caller),
): Folder {
  const { store, workspace } = caller;
  const { id, accountId, title, kind, description = '', parentIds, sharedIds, customFields } = folder;
  const { customItemTypeId, project } = folder;
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
    customFields,
    space: kind === 'space',
    createdDate,
    updatedDate,
    ...omitUndefined({ workflowId, customItemTypeId, project }),
  };
}

const toSpaceRecord = ({ id, title }: StoredFolder): Space => ({
  id,
  title,
  accessType: 'Public',
  archived: false,
});

const isActive = ({ deleted, deactivated }: User) => !deleted && !deactivated;

function toContactRecord(me: User, user: User): Contact {
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

const toCustomFieldRecord = ({
  values: _,
  spaceId: __,
  ...record
}: StoredCustomField): CustomFieldDefinition => record;

const colors = { Active: 'Blue', Completed: 'Green', Deferred: 'Gray', Cancelled: 'Gray' } as const;

function toWorkflowRecord({ id, name, standard, hidden, statuses }: StoredWorkflow): Workflow {
  return {
    id,
    name,
    standard,
    hidden,
    customStatuses: statuses.map((status) => ({
      ...status,
      standardName: standard,
      standard,
      color: colors[status.group],
      hidden: false,
    })),
  };
}

const visibleFolders = ({ store, user }: Caller): StoredFolder[] =>
  [...store.folders.values()].filter((folder) => canSeeFolder(user, folder));

/** The subfolders of a folder or space, with `descendants` at any depth. */
function listSubfolders(request: EndpointRequest<ArgumentsOf<'listSubfolders'>>): ApiResult {
  const { store, arguments: filters } = request;
  const { id } = folderOf(request);
  const folders = visibleFolders(request).filter(
    ({ parentIds }) =>
      parentIds.includes(id) || (filters.descendants === true && withAncestors(store, parentIds).has(id)),
  );
  return listFolders(request, folders);
}

function listFolders(
  request: EndpointRequest<ArgumentsOf<'listFolders'>>,
  folders: readonly StoredFolder[],
): ApiResult {
  const { permalink, project } = request.arguments;
  const matches = folders.filter(
    (folder) =>
      (project === undefined || (folder.project !== undefined) === project) &&
      (permalink === undefined || permalinkOf(request.workspace, folder) === permalink),
  );
  const children = childrenByFolder(request);
  return paginate(request, matches, (folder) => toFolderRecord(request, folder, children));
}

/** The records of the account, or of the space in the path, to which every standard workflow belongs too. */
function recordsIn<
  T extends { readonly accountId: string; readonly spaceId?: string; readonly standard?: boolean },
>(request: EndpointRequest<unknown>, records: ReadonlyMap<string, T>): readonly T[] {
  const space = placeOf(request);
  return [...records.values()].filter(
    ({ accountId, spaceId, standard }) =>
      accountId === request.account.id && (space === undefined || spaceId === space.id || standard === true),
  );
}

const listCustomFields = (request: EndpointRequest<unknown>): ApiResult =>
  paginate(request, recordsIn(request, request.store.customFields), toCustomFieldRecord);

const listWorkflows = (request: EndpointRequest<unknown>): ApiResult =>
  paginate(request, recordsIn(request, request.store.workflows), toWorkflowRecord);

/** The contract shows only the name of these lists: all are empty. */
const emptyList = (request: EndpointRequest<unknown>): ApiResult => paginate(request, []);

function listLockPeriods(request: EndpointRequest<unknown>): ApiResult {
  if (request.ids.single.has('taskId')) taskOf(request);
  else folderOf(request);
  return emptyList(request);
}

const contactTypes = ['Person', 'Group', 'Robot'] as const;

function contactType({ service, assume }: EndpointRequest<unknown>, text: string) {
  assume('contact-type');
  const type = contactTypes.find((word) => word.toLowerCase() === text.toLowerCase());
  const problem = `${formatValue(text)} is not one of ${contactTypes.join(', ')}`;
  if (type === undefined) throw invalidParameter('type', problem, 'contact-type');
  if (type !== text) tolerate({ strict: service.settings.mode === 'strict', assume }, 'letter-case', 'type');
  return type;
}

const readUser = (request: EndpointRequest<unknown>, type: string) => (id: string) =>
  toContactRecord(request.user, requireOwn(request, request.store.users, type, id));

export const accountHandlers = {
  getAccount({ account: { dataCentre: _, ...account } }) {
    const data: Account[] = [account];
    return { data };
  },
  listContacts(request) {
    const { store, user: me, arguments: filter } = request;
    const type = filter.type === undefined ? undefined : contactType(request, filter.type);
    const name = filter.name?.toLowerCase();
    const contacts = [...store.users.values()].filter(
      (user) =>
        user.accountId === me.accountId &&
        (filter.me !== true || user.id === me.id) &&
        (filter.email === undefined || user.email.toLowerCase() === filter.email.toLowerCase()) &&
        (name === undefined || `${user.firstName} ${user.lastName}`.toLowerCase().includes(name)) &&
        (type === undefined || user.type === type) &&
        (filter.active === undefined || isActive(user) === filter.active),
    );
    return paginate(request, contacts, (user) => toContactRecord(me, user));
  },
  listSpaces(request) {
    const spaces = visibleFolders(request).filter(({ kind }) => kind === 'space');
    return paginate(request, spaces, toSpaceRecord);
  },
  listFolders(request) {
    const root = request.account.rootFolderId;
    const withDescendants = request.arguments.descendants !== false;
    const folders = visibleFolders(request).filter(
      ({ parentIds }) => withDescendants || parentIds.includes(root),
    );
    return listFolders(request, folders);
  },
  listSubfolders,
  listSpaceFolders: listSubfolders,
  listCustomFields,
  listSpaceCustomFields: listCustomFields,
  listWorkflows,
  listSpaceWorkflows: listWorkflows,
  listAuditLog(request) {
    if (!request.user.admin) throw forbidden('Only administrators may read the audit log', 'audit-log');
    request.assume('audit-log-scopes');
    const entries = recordsIn(request, request.store.audit);
    return paginate(request, entries, ({ accountId: _, ...entry }) => entry);
  },
  listInvitations: (request) => paginate(request, recordsIn(request, request.store.invitations)),
  listGroups: emptyList,
  listTimelogCategories: emptyList,
  listTimesheets: emptyList,
  listTaskLockPeriods: listLockPeriods,
  listFolderLockPeriods: listLockPeriods,
  listSpaceLockPeriods: listLockPeriods,

  getContacts: (request) => readEach(request, readUser(request, 'Contact')),
  getUsers: (request) => readEach(request, readUser(request, 'User')),
  getFolders: (request) => readEach(request, (id) => toFolderRecord(request, requireFolder(request, id))),
  getSpaces: (request) => readEach(request, (id) => toSpaceRecord(requireFolder(request, id, 'space'))),
  getCustomFields: (request) =>
    readEach(request, (id) =>
      toCustomFieldRecord(requireOwn(request, request.store.customFields, 'Custom field', id)),
    ),
  getWorkflows: (request) =>
    readEach(request, (id) => toWorkflowRecord(requireOwn(request, request.store.workflows, 'Workflow', id))),
  convertIds({ store, user, arguments: { type, ids } }) {
    const idByNumber = new Map<string, string>();
    if (type === 'ApiV2Folder')
      for (const folder of store.folders.values())
        if (canSeeFolder(user, folder)) idByNumber.set(numberOf(folder.id), folder.id);
    if (type === 'ApiV2Task')
      for (const task of store.tasks.values())
        if (canSeeTask(store, user, task)) idByNumber.set(numberOf(task.id), task.id);
    const data = ids.flatMap((apiV2Id) => {
      const id = idByNumber.get(apiV2Id);
      return id === undefined ? [] : [{ id, apiV2Id }];
    });
    return { data };
  },
  getVersion: () => ({ data: [{ major: '4', minor: '0' }] }),
} satisfies Partial<Handlers>;
