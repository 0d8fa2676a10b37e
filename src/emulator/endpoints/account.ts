// Reads the account and its records, in lists and by their ids. The contract does not show reads by ids: one unknown id fails the request.

import type { Account, Contact, CustomFieldDefinition, Workflow } from '#contract/read-only-records.ts';
import { formatValue } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { visibleFolders } from '../folder/folder-record.ts';
import { forbidden, invalidParameter } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import { tolerate } from '../http/tolerances.ts';
import { canSeeTask, requireOwn } from '../state/access.ts';
import { defaults } from '../state/default-members.ts';
import type { CustomFieldType, Store, StoredCustomField, StoredWorkflow, User } from '../state/store.ts';
import { isWithin } from '../task/filter-tasks.ts';
import { avatarUrlOf, numberOf } from '../task/urls.ts';
import { allAttachments } from './attachments.ts';
import { type EndpointRequest, type Handlers, idOf, placeOf, readEach, taskOf } from './endpoint.ts';
import { itemsIn } from './item-subject.ts';

const isActive = ({ deleted, deactivated }: StoredContact) => !deleted && !deactivated;

interface StoredContact extends Omit<User, 'type' | 'email'> {
  readonly type: string;
  readonly email?: string;
  readonly memberIds?: readonly string[];
  readonly myTeam?: boolean;
}
type Contacts = ReadonlyMap<string, StoredContact>;

/** A group is one too. */
function contactsIn({ users, groups }: Store): Contacts {
  const contacts = new Map<string, StoredContact>(users);
  for (const { title, avatar: _, metadata: __, parentIds: ___, ...group } of groups.values())
    contacts.set(group.id, { ...defaults.users, ...group, firstName: title, type: 'Group' });
  return contacts;
}

export function toContactRecord(me: User, user: StoredContact): Contact {
  const { id, accountId, firstName, lastName, type, email, admin, deleted } = user;
  const { title, companyName, phone, memberIds, myTeam, external = type === 'Robot' } = user;
  const active = isActive(user);
  const role = type === 'Robot' ? 'Collaborator' : user.role;
  return {
    id,
    firstName,
    lastName,
    type,
    profiles: [{ accountId, email, role, external, admin, owner: admin, active }],
    avatarUrl: avatarUrlOf(id),
    timezone: type === 'Group' ? 'Z' : 'Europe/Dublin',
    locale: 'en',
    deleted,
    me: id === me.id,
    ...omitUndefined({ title, companyName, phone, primaryEmail: email, memberIds, myTeam }),
  };
}

const selection = { optionColorsEnabled: false, allowOtherValues: false };
const numeric = { decimalPlaces: 0, useThousandsSeparator: false, aggregation: 'None' };
/** Those of every field are beside it. A stored setting replaces one of these. */
const settingsByType: { readonly [T in CustomFieldType]?: object } = {
  DropDown: selection,
  Multiple: selection,
  Numeric: numeric,
  Percentage: numeric,
  Currency: { ...numeric, decimalPlaces: 2, currency: 'EUR' },
};

export const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, color: 'Blue' }));

export function toCustomFieldRecord(stored: StoredCustomField): CustomFieldDefinition {
  const { values, settings, ...field } = { ...defaults.customFields, ...stored };
  return {
    ...field,
    sharing: {},
    description: '',
    archived: false,
    settings: {
      inheritanceType: 'All',
      applicableEntityTypes: ['WorkItem'],
      readOnly: false,
      ...settingsByType[field.type],
      ...(values.length > 0 && { values, options: optionsOf(values) }),
      ...Object(settings),
    },
  };
}

const colors = { Active: 'Blue', Completed: 'Green', Deferred: 'Gray', Cancelled: 'Gray' } as const;

function toWorkflowRecord({ id, name, standard, hidden, statuses }: StoredWorkflow): Workflow {
  const customStatuses = statuses.map((status) => {
    const color = colors[status.group];
    return { ...status, standardName: standard, standard, color, hidden: false };
  });
  return { id, name, standard, hidden, customStatuses, description: '' };
}

/** The records of the account, or of the space in the path, to which every standard workflow belongs too. */
export function recordsIn<
  T extends { readonly accountId: string; readonly spaceId?: string; readonly standard?: boolean },
>(request: EndpointRequest, records: ReadonlyMap<string, T>): T[] {
  const space = placeOf(request);
  return [...records.values()].filter(
    ({ accountId, spaceId, standard }) =>
      accountId === request.account.id && (space === undefined || spaceId === space.id || standard === true),
  );
}

/** That of the account has no workflows of spaces. */
const listWorkflows: Handlers['listWorkflows'] = (request) => {
  const isOfSpace = request.ids.single.size > 0;
  const listed = recordsIn(request, request.store.workflows).filter((row) => isOfSpace || !row.spaceId);
  return paginate(request, listed, toWorkflowRecord);
};

const withoutAccount = ({ accountId: _, ...record }: { readonly accountId: string }) => record;

/** The contract shows only the name of these lists: all are empty. */
function listNothing(request: EndpointRequest) {
  if (request.ids.single.has('taskId')) taskOf(request);
  else placeOf(request);
  return paginate(request, []);
}

const contactTypes = ['Person', 'Group', 'Robot'] as const;

function contactType({ service, assume }: EndpointRequest, text: string) {
  assume('contact-type');
  const type = contactTypes.find((word) => word.toLowerCase() === text.toLowerCase());
  const problem = `${formatValue(text)} is not one of ${contactTypes.join(', ')}`;
  if (type === undefined) throw invalidParameter('type', problem, 'contact-type');
  if (type !== text) tolerate({ strict: service.settings.mode === 'strict', assume }, 'letter-case', 'type');
  return type;
}

const readUser = (request: EndpointRequest, type: string, users: Contacts) => (id: string) =>
  toContactRecord(request.user, requireOwn(request, users, type, id));

type LinkedRecords = (request: EndpointRequest) => readonly { readonly id: string }[];

/** What the user may see of each type of GET /ids. */
const linkedRecords = {
  ApiV2Account: ({ account }) => [account],
  ApiV2User: (request) => recordsIn(request, request.store.users),
  ApiV2Folder: visibleFolders,
  ApiV2Task: ({ store, user }) => [...store.tasks.values()].filter((task) => canSeeTask(store, user, task)),
  ApiV2Comment: (request) => itemsIn(request, request.store.comments.values()),
  ApiV2Attachment: (request) =>
    itemsIn(request, allAttachments(request.store)).map(({ attachment }) => attachment),
  ApiV2Timelog: (request) => itemsIn(request, request.store.timelogs.values()),
} satisfies Readonly<Record<string, LinkedRecords>>;

export const accountHandlers = {
  getAccount: ({ account: { dataCentre: _, ...account } }) => ({ data: [account satisfies Account] }),
  listContacts(request) {
    const { store, user: me, arguments: filter } = request;
    const type = filter.type === undefined ? undefined : contactType(request, filter.type);
    const name = filter.name?.toLowerCase();
    const nameOf = ({ firstName, lastName }: StoredContact) => `${firstName} ${lastName}`;
    const contacts = recordsIn(request, contactsIn(store)).filter(
      (user) =>
        (filter.me !== true || user.id === me.id) &&
        (filter.email === undefined || user.email?.toLowerCase() === filter.email.toLowerCase()) &&
        (name === undefined || nameOf(user).toLowerCase().includes(name)) &&
        (type === undefined || user.type === type) &&
        (filter.active === undefined || isActive(user) === filter.active) &&
        (filter.deleted === undefined || user.deleted === filter.deleted) &&
        // No contact has metadata here.
        filter.metadata === undefined,
    );
    contacts.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    return paginate(request, contacts, (user) => toContactRecord(me, user));
  },
  listWorkflows,
  listSpaceWorkflows: listWorkflows,
  listAuditLog(request) {
    if (!request.user.admin) throw forbidden('Only administrators may read the audit log', 'audit-log');
    request.assume('audit-log-scopes');
    const { eventDate, operations } = request.arguments;
    const entries = recordsIn(request, request.store.audit).filter(
      (entry) => isWithin(entry.eventDate, eventDate) && (operations?.includes(entry.operation) ?? true),
    );
    return paginate(request, entries.reverse(), withoutAccount);
  },
  listTimelogCategories: (request) =>
    paginate(request, recordsIn(request, request.store.timelogCategories), withoutAccount),
  listTimesheets: listNothing,
  listTaskLockPeriods: listNothing,
  listFolderLockPeriods: listNothing,
  listSpaceLockPeriods: listNothing,

  getContacts: (request) => readEach(request, readUser(request, 'Contact', contactsIn(request.store))),
  getUsers: (request) => ({
    data: [readUser(request, 'User', request.store.users)(idOf(request, 'userId'))],
  }),
  getCustomFields: (request) =>
    readEach(request, (id) =>
      toCustomFieldRecord(requireOwn(request, request.store.customFields, 'Custom field', id)),
    ),
  getWorkflows: (request) =>
    readEach(request, (id) => toWorkflowRecord(requireOwn(request, request.store.workflows, 'Workflow', id))),
  convertIds(request) {
    const { type, ids } = request.arguments;
    const numbers = new Set(ids);
    // The newest first: the order is not that of the request.
    const data = linkedRecords[type](request)
      .map(({ id }) => ({ id, apiV2Id: numberOf(id) }))
      .filter(({ apiV2Id }) => numbers.has(apiV2Id))
      .reverse();
    return { data };
  },
  getVersion: () => ({ data: [{ major: 4, minor: 0 }] }),
} satisfies Partial<Handlers>;
