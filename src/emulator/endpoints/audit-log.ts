// The audit log, which only administrators may read. The contract mentions the endpoint without showing its shape: the
// records are assumed.

import { namedEndpoints } from '../../contract/operation.ts';
import { scopes } from '../../contract/scope.ts';
import { ErrorResponse } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { assumedOperation } from './assumed-operation.ts';
import type { EndpointRequest } from './endpoint.ts';

export const auditLogOperations = {
  listAuditLog: assumedOperation({
    ...namedEndpoints.auditLog,
    parameters: {},
    scopes,
  }),
} as const;

export const auditLogHandlers = {
  listAuditLog({ service: { store }, session: { user, account } }: EndpointRequest<unknown>): ApiResult {
    if (!user.admin)
      throw new ErrorResponse('access_forbidden', 'Only administrators may read the audit log');
    const own = [...store.audit.values()].filter(({ accountId }) => accountId === account.id);
    return { kind: 'auditLog', data: own.map(({ accountId: _, ...entry }) => entry) };
  },
};
