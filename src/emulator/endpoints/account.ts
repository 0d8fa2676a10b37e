// The endpoints that only read: account, contacts, spaces, folders, custom fields, workflows, the audit log.

import type {
  Account,
  Contact,
  CustomFieldDefinition,
  Folder,
  Space,
  Workflow,
} from '../../contract/read-only-records.ts';
import { formatValue } from '../../contract/schema.ts';
import { ErrorResponse, invalidParameter, notFound } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import type { Session } from '../service/service.ts';
import { canSeeFolder, requireFolder } from '../state/access.ts';
import type {
  Store,
  StoredCustomField,
  Folder as StoredFolder,
  StoredWorkflow,
  User,
} from '../state/store.ts';
import { type EndpointRequest, type Handlers, idOf, idsOf } from './endpoint.ts';

const scopes: Readonly<Record<StoredFolder['kind'], string>> = {
  root: 'WsRoot',
  bin: 'RbRoot',
  space: 'WsFolder',
  folder: 'WsFolder',
  project: 'WsFolder',
};

export function toFolderRecord(store: Store, user: User, { id, title, kind, project }: StoredFolder): Folder {
  const childIds = [...store.folders.values()]
    .filter((one) => one.parentIds.includes(id) && canSeeFolder(user, one))
    .map((one) => one.id);
  return { id, title, childIds, scope: scopes[kind], ...(project === undefined ? {} : { project }) };
}

function toContactRecord({ user: me }: Session, user: User): Contact {
  const { id, accountId, firstName, lastName, type, email, role, admin, deleted } = user;
  return {
    id,
    firstName,
    lastName,
    type,
    profiles: [{ accountId, email, role, external: false, admin, owner: admin, active: !deleted }],
    avatarUrl: `https://files.example.com/avatars/${id}.png`,
    timezone: 'Europe/Dublin',
    locale: 'en',
    deleted,
    me: id === me.id,
  };
}

const toCustomFieldRecord = ({
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

function toWorkflowRecord({ id, name, standard, hidden, statuses }: StoredWorkflow): Workflow {
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

function pageResult<T, S>(
  request: EndpointRequest<unknown>,
  kind: ApiResult['kind'],
  all: readonly T[],
  show: (one: T) => S,
): ApiResult {
  const { data, extra } = paginate(all, request.pageRequest);
  return { kind, data: data.map(show), extra };
}

function visibleFolders({ service, session }: EndpointRequest<unknown>): StoredFolder[] {
  return [...service.store.folders.values()].filter((one) => canSeeFolder(session.user, one));
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
        (filter.active === undefined || !user.deleted === filter.active),
    );
    return pageResult(request, 'contacts', found, (user) => toContactRecord(session, user));
  },
  getContacts(request) {
    const { service, session } = request;
    const found = idsOf(request, 'contactIds').map((id) => {
      const user = service.store.users.get(id);
      if (user === undefined) throw notFound('Contact', id);
      if (user.accountId !== session.account.id) throw notFound('Contact', id, 'other-account');
      return toContactRecord(session, user);
    });
    return { kind: 'contacts', data: found };
  },
  listSpaces(request) {
    const spaces = visibleFolders(request).filter(({ kind }) => kind === 'space');
    return pageResult(
      request,
      'spaces',
      spaces,
      ({ id, title }): Space => ({ id, title, accessType: 'Public', archived: false }),
    );
  },
  listFolders: (request) =>
    pageResult(request, 'folders', visibleFolders(request), (one) =>
      toFolderRecord(request.service.store, request.session.user, one),
    ),
  getFolders(request) {
    const { store } = request.service;
    const { user } = request.session;
    const found = idsOf(request, 'folderIds').map((id) =>
      toFolderRecord(store, user, requireFolder(store, user, id, 'folder')),
    );
    return { kind: 'folders', data: found };
  },
  listCustomFields: (request) => listFields(request),
  listSpaceCustomFields: (request) => listFields(request, spaceIdOf(request)),
  listWorkflows: (request) => listWorkflowsOf(request),
  listSpaceWorkflows: (request) => listWorkflowsOf(request, spaceIdOf(request)),
  listAuditLog(request) {
    const { service, session } = request;
    if (!session.user.admin)
      throw new ErrorResponse('access_forbidden', 'Only administrators may read the audit log', {
        because: 'audit-log',
      });
    const own = [...service.store.audit.values()].filter(({ accountId }) => accountId === session.account.id);
    return pageResult(request, 'auditLog', own, ({ accountId: _, ...entry }) => entry);
  },
} satisfies Partial<Handlers>;
