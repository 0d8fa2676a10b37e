// The errors the service answers with: their words and statuses. What they mean to a person is failure.ts.

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
  resource_not_found: { status: 404, when: 'there is no such entity' },
  method_not_found: { status: 404, when: 'there is no such method' },
  too_many_requests: { status: 429, when: 'the rate limit is reached', assumed: 'rate limit' },
  rate_limit_exceeded: { status: 429, when: 'the rate limit is reached', assumed: 'rate limit' },
  server_error: { status: 500, when: 'the service failed' },
} as const satisfies Record<string, { status: number; when: string; assumed?: string }>;

export type ServiceError = keyof typeof serviceErrors;

/** The body of every error answer of the API. */
export interface ErrorBody {
  readonly error: string;
  readonly errorDescription: string;
}

/** What the redirect carries when a person says no on the consent page. */
export const accessDenied = 'access_denied';
