// The calls that only read what stands around tasks: account, contacts, spaces, folders, custom fields, workflows.

import type {
  Account,
  Contact,
  CustomFieldDefinition,
  Folder,
  Space,
  Workflow,
} from '../../contract/resource.ts';
import { shown } from '../../contract/value.ts';
import { folderFor, seesFolder } from '../access.ts';
import type { Result } from '../answer.ts';
import { pageOf } from '../paging.ts';
import { invalidParameter } from '../refusal.ts';
import type { Session } from '../service.ts';
import type { Store, StoredCustomField, Folder as StoredFolder, StoredWorkflow, User } from '../store.ts';
import { type Call, type Calls, idOf } from './call.ts';

const scopes: Readonly<Record<StoredFolder['kind'], string>> = {
  root: 'WsRoot',
  bin: 'RbRoot',
  space: 'WsFolder',
  folder: 'WsFolder',
  project: 'WsFolder',
};

function shownFolder(store: Store, user: User, { id, title, kind, project }: StoredFolder): Folder {
  const childIds = [...store.folders.values()]
    .filter((one) => one.parentIds.includes(id) && seesFolder(user, one))
    .map((one) => one.id);
  return { id, title, childIds, scope: scopes[kind], ...(project === undefined ? {} : { project }) };
}

function shownContact({ user: me }: Session, user: User): Contact {
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

const shownField = ({ id, accountId, title, type, settings }: StoredCustomField): CustomFieldDefinition => ({
  id,
  accountId,
  ...(title === undefined ? {} : { title }),
  type,
  settings,
});

const colors = { Active: 'Blue', Completed: 'Green', Deferred: 'Gray', Cancelled: 'Gray' } as const;

function shownWorkflow({ id, name, standard, hidden, statuses }: StoredWorkflow): Workflow {
  return {
    id,
    ...(name === undefined ? {} : { name }),
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

function page<T, S>(
  call: Call<unknown>,
  kind: Result['kind'],
  all: readonly T[],
  show: (one: T) => S,
): Result {
  const { data, beside } = pageOf(all, call.page);
  return { kind, data: data.map(show), beside };
}

function foldersSeen({ service, session }: Call<unknown>): StoredFolder[] {
  return [...service.store.folders.values()].filter((one) => seesFolder(session.user, one));
}

/** Those of the account, or of one space alone. */
function fields(call: Call<unknown>, spaceId?: string): Result {
  const { service, session } = call;
  const own = [...service.store.customFields.values()].filter((one) => one.accountId === session.account.id);
  const wanted = spaceId === undefined ? own : own.filter((one) => one.spaceId === spaceId);
  return page(call, 'customfields', wanted, shownField);
}

/** A space has the account's standard workflow and its own. */
function workflows(call: Call<unknown>, spaceId?: string): Result {
  const { service, session } = call;
  const own = [...service.store.workflows.values()].filter((one) => one.accountId === session.account.id);
  const wanted =
    spaceId === undefined ? own : own.filter((one) => one.spaceId === spaceId || one.standard === true);
  return page(call, 'workflows', wanted, shownWorkflow);
}

const spaceOf = (call: Call<unknown>) =>
  folderFor(call.service.store, call.session.user, idOf(call, 'spaceId'), 'space').id;

/** In lower case: see assumption.ts. */
const contactTypes: readonly string[] = ['person', 'group', 'robot'];

type AccountCalls =
  | 'getAccount'
  | 'listContacts'
  | 'listSpaces'
  | 'listFolders'
  | 'listCustomFields'
  | 'listSpaceCustomFields'
  | 'listWorkflows'
  | 'listSpaceWorkflows';

export const accountCalls: Pick<Calls, AccountCalls> = {
  getAccount({ session }) {
    const { dataCentre: _, ...account } = session.account;
    const data: Account[] = [account];
    return { kind: 'accounts', data };
  },
  listContacts(call) {
    const { service, session, arguments: filter } = call;
    const type = filter.type?.toLowerCase();
    if (type !== undefined && !contactTypes.includes(type)) {
      throw invalidParameter('type', `${shown(filter.type)} is not one of Person, Group, Robot`);
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
    return page(call, 'contacts', found, (user) => shownContact(session, user));
  },
  listSpaces(call) {
    const spaces = foldersSeen(call).filter(({ kind }) => kind === 'space');
    return page(
      call,
      'spaces',
      spaces,
      ({ id, title }): Space => ({ id, title, accessType: 'Public', archived: false }),
    );
  },
  listFolders: (call) =>
    page(call, 'folders', foldersSeen(call), (one) =>
      shownFolder(call.service.store, call.session.user, one),
    ),
  listCustomFields: (call) => fields(call),
  listSpaceCustomFields: (call) => fields(call, spaceOf(call)),
  listWorkflows: (call) => workflows(call),
  listSpaceWorkflows: (call) => workflows(call, spaceOf(call)),
};
