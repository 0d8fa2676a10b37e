// Lists of which the contract shows only the path: groups, invitations, timelog categories. The sample has one invitation and
// none of the others.

import { readScopes } from '../../contract/scope.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import { assumedOperation } from './assumed-operation.ts';
import type { EndpointRequest } from './endpoint.ts';

export const assumedListOperations = {
  listGroups: assumedOperation({
    method: 'GET',
    path: '/groups',
    assumption: 'timelog-groups',
    kind: 'groups',
    parameters: {},
    scopes: [...readScopes, 'amReadOnlyGroup', 'amReadWriteGroup'],
  }),
  listInvitations: assumedOperation({
    method: 'GET',
    path: '/invitations',
    assumption: 'invitations',
    kind: 'invitations',
    parameters: {},
    scopes: ['amReadOnlyInvitation', 'amReadWriteInvitation'],
  }),
  listTimelogCategories: assumedOperation({
    method: 'GET',
    path: '/timelog_categories',
    assumption: 'timelog-groups',
    kind: 'timelogCategories',
    parameters: {},
    scopes: readScopes,
  }),
};

function pageResult(
  { pageRequest }: EndpointRequest<unknown>,
  kind: ApiResult['kind'],
  all: readonly unknown[],
): ApiResult {
  const { data, extra } = paginate(all, pageRequest);
  return { kind, data, extra };
}

export const assumedListHandlers = {
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
