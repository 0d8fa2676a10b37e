// Lists at the account-less paths that the contract names and shows nothing more of: groups, invitations and categories
// of timelogs. There is one invitation in the sample, and none of the others.

import type { Result } from '../answer.ts';
import { pageOf } from '../paging.ts';
import { assumed, read } from './assumed.ts';
import type { Call } from './call.ts';

export const listOperations = {
  listGroups: assumed({
    method: 'GET',
    path: '/groups',
    kind: 'groups',
    parameters: {},
    scopes: [...read, 'amReadOnlyGroup', 'amReadWriteGroup'],
  }),
  listInvitations: assumed({
    method: 'GET',
    path: '/invitations',
    kind: 'invitations',
    parameters: {},
    scopes: ['amReadOnlyInvitation', 'amReadWriteInvitation'],
  }),
  listTimelogCategories: assumed({
    method: 'GET',
    path: '/timelog_categories',
    kind: 'timelogCategories',
    parameters: {},
    scopes: read,
  }),
};

function page({ page: wish }: Call<unknown>, kind: Result['kind'], all: readonly unknown[]): Result {
  const { data, beside } = pageOf(all, wish);
  return { kind, data, beside };
}

export const listCalls = {
  listGroups: (call: Call<unknown>): Result => page(call, 'groups', []),
  listInvitations(call: Call<unknown>): Result {
    const { service, session } = call;
    const all = [...service.store.invitations.values()];
    return page(
      call,
      'invitations',
      all.filter(({ accountId }) => accountId === session.account.id),
    );
  },
  listTimelogCategories: (call: Call<unknown>): Result => page(call, 'timelogCategories', []),
};
