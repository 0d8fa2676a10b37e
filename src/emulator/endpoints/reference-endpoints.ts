// Groups, invitations, users, custom fields and colors, as only the service's old reference shows them: with a table of effects each.

import { omitUndefined } from '#omit-undefined.ts';
import { invalidParameter } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import { type SeedList, seedRows } from '../seed/seed-rows.ts';
import { reachable, requireOwn } from '../state/access.ts';
import { defaults } from '../state/default-members.ts';
import { findAuthor } from '../state/example-records.ts';
import type { Invitation, Store, StoredCustomField, StoredGroup, User } from '../state/store.ts';
import { storedSchemas } from '../state/stored-schemas.ts';
import { avatarUrlOf, newId } from '../task/urls.ts';
import { applyEffects, type Draft, type Effects, isSame } from '../update/apply-effects.ts';
import { adds, removes, setMetadata } from '../update/record-effects.ts';
import * as references from '../update/references.ts';
import { optionsOf, recordsIn, toContactRecord, toCustomFieldRecord } from './account.ts';
import type { ArgumentsOf, EndpointRequest, Handlers, Name } from './endpoint.ts';

type AnyRequest = EndpointRequest;
/** These records have no such date. */
type Undated = { readonly id: string; readonly accountId: string; updatedDate?: string };
type Values<A extends Name, B extends Name> = Required<ArgumentsOf<A> & ArgumentsOf<B>>;

/** A parameter without an effect becomes the member of its name, if the stored records have one. */
function recordsOf<D extends Undated, V extends object>(
  list: SeedList,
  listIn: (store: Store) => Map<string, D>,
  effects: Partial<Effects<D, V>>,
  toRecord: (record: D, request: AnyRequest) => unknown,
) {
  const { type, shape } = storedSchemas[list];
  const find = ({ ids, store, user }: AnyRequest): D =>
    requireOwn({ user }, listIn(store), `The ${type}`, [...ids.single.values()].join());
  const save = (request: EndpointRequest<Partial<V>>, before: D): ApiResult => {
    const own = Object.entries(request.arguments).filter(([name]) => name in shape && !(name in effects));
    const blank: D = { ...before, ...omitUndefined(Object.fromEntries(own)) };
    const record = applyEffects(effects, blank, request.arguments, request);
    delete record.updatedDate;
    listIn(request.store).set(record.id, record);
    return { data: [toRecord(record, request)] };
  };
  return {
    find,
    create: (blank: (ids: Undated, request: AnyRequest) => D) => (request: EndpointRequest<Partial<V>>) => {
      const { id: accountId } = request.account;
      const kind = seedRows[list].idPrefix.replace('*', accountId);
      return save(
        request,
        blank({ id: newId(request.service, '', kind, listIn(request.store)), accountId }, request),
      );
    },
    list: (request: AnyRequest) =>
      paginate(request, recordsIn(request, listIn(request.store)), (row) => toRecord(row, request)),
    update: (request: EndpointRequest<Partial<V>>) => save(request, find(request)),
    remove(request: AnyRequest, isTest = false): ApiResult {
      const { id } = find(request);
      if (!isTest) listIn(request.store).delete(id);
      return { data: [] };
    },
  };
}

const groups = recordsOf<Draft<StoredGroup>, Values<'createGroup', 'updateGroup'>>(
  'groups',
  (store) => store.groups,
  {
    members: adds('memberIds', references.requireMembers),
    addMembers: adds('memberIds', references.requireMembers),
    removeMembers: removes('memberIds', references.requireFormerUsers),
    parent(draft, parent, context) {
      const { groups: all } = context.store;
      references.requireOwned(context, 'parent', 'a group', all, parent);
      if (reachable([parent], (id) => all.get(id)?.parentIds ?? []).has(draft.id))
        throw invalidParameter('parent', `${parent} is in the group itself`, 'reference-endpoints');
      draft.parentIds = [parent];
    },
    metadata: setMetadata,
  },
  toGroupRecord,
);

function toGroupRecord({ avatar: _, metadata: __, ...group }: StoredGroup, { store }: AnyRequest) {
  const children = [...store.groups.values()].filter(({ parentIds }) => parentIds.includes(group.id));
  const parentIds = group.parentIds.filter((id) => store.groups.has(id));
  return { ...group, parentIds, childIds: children.map(({ id }) => id), avatarUrl: avatarUrlOf(group.id) };
}

const invitations = recordsOf<Draft<Invitation>, Values<'createInvitation', 'updateInvitation'>>(
  'invitations',
  (all) => all.invitations,
  {},
  // One of a seed or an older data file may not say who invited.
  ({ inviterUserId, ...row }, { store }) => ({
    ...row,
    inviterUserId: inviterUserId ?? findAuthor(store, row.accountId)?.id,
  }),
);

const users = recordsOf<Draft<User>, ArgumentsOf<'updateUser'>>(
  'users',
  (store) => store.users,
  {
    profile(draft, { accountId, ...profile }) {
      if (accountId !== draft.accountId || draft.type === 'Robot')
        throw invalidParameter('profile', 'it is of another account, or of a robot', 'reference-endpoints');
      Object.assign(draft, profile);
    },
  },
  (user, request) => toContactRecord(request.user, user),
);

const customFields = recordsOf<Draft<StoredCustomField>, Values<'createCustomField', 'updateCustomField'>>(
  'customFields',
  (store) => store.customFields,
  {
    shareds: adds('sharedIds', references.requireSharers),
    addShareds: adds('sharedIds', references.requireSharers),
    removeShareds: removes('sharedIds', references.requireFormerSharers),
    settings(draft, settings) {
      const { options } = settings;
      const named = options?.map(({ value }) => value);
      const { values = named } = settings;
      if (named && !isSame(named, values))
        throw invalidParameter('settings', 'values and options differ', 'reference-endpoints');
      draft.values = values ?? draft.values;
      const choices = values && { values, options: options ?? optionsOf(values) };
      draft.settings = { ...Object(draft.settings), ...settings, ...choices };
    },
  },
  toCustomFieldRecord,
);

const colors = `Brown 795548, Red F44336, Purple 9C27B0, Indigo 3F51B5, DarkBlue 1565C0, Blue 2196F3, Turquoise 00BCD4,
  DarkCyan 009688, Green 4CAF50, YellowGreen 8BC34A, Yellow FFEB3B, Orange FF9800, Gray 9E9E9E`;

const blankField = { title: '', type: 'Text', settings: {} } as const;

export const referenceHandlers = {
  listCustomFields: customFields.list,
  listSpaceCustomFields: customFields.list,
  createCustomField: customFields.create((ids) => ({ ...defaults.customFields, ...ids, ...blankField })),
  updateCustomField: customFields.update,
  listInvitations: invitations.list,
  createInvitation: invitations.create((ids, { user, timestamp }) => {
    const sent = { inviterUserId: user.id, invitationDate: timestamp, email: '' };
    return { ...defaults.invitations, ...ids, ...sent };
  }),
  updateInvitation: invitations.update,
  deleteInvitation: (request) => invitations.remove(request),
  updateUser: users.update,
  listGroups: groups.list,
  getGroup(request) {
    const group = groups.find(request);
    const metadata = request.arguments.fields?.length ? group.metadata : undefined;
    return { data: [{ ...toGroupRecord(group, request), metadata }] };
  },
  createGroup: groups.create((ids) => ({ ...defaults.groups, ...ids, title: '' })),
  updateGroup: groups.update,
  deleteGroup: (request) => groups.remove(request, request.arguments.test),
  getColors: () => ({
    data: Array.from(colors.matchAll(/(\w+) (\w+)/g), ([, name, hex]) => ({ name, hex: `#${hex}` })),
  }),
} satisfies Partial<Handlers>;
