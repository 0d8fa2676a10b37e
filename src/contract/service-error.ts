// The error codes of the service and their statuses (contract: Errors). failure.ts has their meaning for commands.

import type { AssumptionId } from './assumption.ts';

export const serviceErrors = {
  invalid_request: {
    status: 400,
    when: 'the request is of a wrong type, or critical data is absent or malformed',
  },
  invalid_parameter: { status: 400, when: 'a parameter name or value is invalid, a hookUrl included' },
  parameter_required: { status: 400, when: 'a required parameter is absent' },
  not_authorized: {
    status: 401,
    when: 'the token is invalid, malformed, expired, or of another data centre',
  },
  access_forbidden: { status: 403, when: 'the user has no access to the entity' },
  not_allowed: { status: 403, when: 'the licence or a quota does not allow it' },
  resource_not_found: { status: 404, when: 'the entity does not exist' },
  method_not_found: { status: 404, when: 'the method does not exist' },
  too_many_requests: { status: 429, when: 'the rate limit is reached', assumption: 'rate-limit' },
  rate_limit_exceeded: { status: 429, when: 'the rate limit is reached', assumption: 'rate-limit' },
  server_error: { status: 500, when: 'the service failed' },
} as const satisfies Record<string, { status: number; when: string; assumption?: AssumptionId }>;

export type ServiceError = keyof typeof serviceErrors;

export interface ErrorBody {
  readonly error: string;
  readonly errorDescription: string;
  /** From the request's query. Contract: What the service does 2. */
  readonly state?: string;
}

/** When the user denies access (contract: Authentication 4). @see [RFC 6749 §4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1) */
export const accessDenied = 'access_denied';
