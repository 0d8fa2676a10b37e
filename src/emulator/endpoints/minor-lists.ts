// Lists at the account-less paths that the contract names and shows nothing more of: groups, invitations and categories
// of timelogs. There is one invitation in the sample, and none of the others.

import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import { assumedOperation, readScopes } from './assumed-operation.ts';
import type { EndpointRequest } from './endpoint.ts';

export const listOperations = {
  listGroups: assumedOperation({
    method: 'GET',
    path: '/groups',
    kind: 'groups',
    parameters: {},
    scopes: [...readScopes, 'amReadOnlyGroup', 'amReadWriteGroup'],
  }),
  listInvitations: assumedOperation({
    method: 'GET',
    path: '/invitations',
    kind: 'invitations',
    parameters: {},
    scopes: ['amReadOnlyInvitation', 'amReadWriteInvitation'],
  }),
  listTimelogCategories: assumedOperation({
    method: 'GET',
    path: '/timelog_categories',
    kind: 'timelogCategories',
    parameters: {},
    scopes: readScopes,
  }),
};

function pageResult(
  { pageRequest: wish }: EndpointRequest<unknown>,
  kind: ApiResult['kind'],
  all: readonly unknown[],
): ApiResult {
  const { data, extra } = paginate(all, wish);
  return { kind, data, extra };
}

export const listHandlers = {
  listGroups: (request: EndpointRequest<unknown>): ApiResult => pageResult(request, 'groups', []),
  listInvitations(request: EndpointRequest<unknown>): ApiResult {
    const { service, session } = request;
    const all = [...service.store.invitations.values()];
    return pageResult(
      request,
      'invitations',
      all.filter(({ accountId }) => accountId === session.account.id),
    );
  },
  listTimelogCategories: (request: EndpointRequest<unknown>): ApiResult =>
    pageResult(request, 'timelogCategories', []),
};
