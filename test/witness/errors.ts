// The service's error codes, the HTTP status of each, and the exit status of `wm` for that HTTP status. src/failure.ts and its tests
// have the messages, the hints and the retries.

export interface ErrorRow {
  readonly status: number;
  readonly error: string;
  /** When it is answered, in words of our own. */
  readonly condition: string;
}

export const errors: readonly ErrorRow[] = [
  {
    status: 400,
    error: 'invalid_request',
    condition: 'wrong kind of request, or vital data missing or garbled',
  },
  { status: 400, error: 'invalid_parameter', condition: 'a bad parameter name or value; a bad hookUrl too' },
  { status: 400, error: 'parameter_required', condition: 'a parameter that must be there is not' },
  {
    status: 401,
    error: 'not_authorized',
    condition: 'token bad, garbled or expired; or another data centre',
  },
  { status: 403, error: 'access_forbidden', condition: 'the user may not touch that entity' },
  { status: 403, error: 'not_allowed', condition: 'the licence or a quota does not allow it' },
  { status: 404, error: 'resource_not_found', condition: 'no such entity' },
  { status: 404, error: 'method_not_found', condition: 'no such API method' },
  { status: 500, error: 'server_error', condition: 'the service failed' },
];

/** Members of the enum whose status and condition the contract does not show. */
export const errorsWithoutStatus: readonly string[] = ['too_many_requests', 'rate_limit_exceeded'];

/** The whole enum. */
export const errorTypes: readonly string[] = [...errors.map(({ error }) => error), ...errorsWithoutStatus];

/** Members of the body of every error. The token endpoint's error bodies are not shown. */
export const errorBody: readonly string[] = ['error', 'errorDescription'];

/** The redirect that tells that a user refused access: its query members, and the value of `error`. */
export const denial = { fields: ['error', 'error_description'], error: 'access_denied' } as const;

/** 500 is for a read: a change whose outcome nobody can know ends with 9. 429 and 500: after retries. */
export const exitStatuses: readonly { readonly status: number; readonly exit: number }[] = [
  { status: 400, exit: 2 },
  { status: 401, exit: 4 },
  { status: 403, exit: 3 },
  { status: 404, exit: 5 },
  { status: 429, exit: 6 },
  { status: 500, exit: 7 },
];

/** Every exit status that `wm` may end with. */
export const allExitStatuses: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 129, 130, 143];
