// Maps what NATS servers reject, and what they do not respond to, to a few faults. Callers decide what these mean.

import type { NatsFault } from './world.ts';

/** @see the error codes in server/errors.json of nats-server */
const faultOfCode: Readonly<Record<number, NatsFault['fault']>> = {
  10003: 'not-allowed',
  10005: 'no-peers',
  10008: 'no-quorum',
  10009: 'no-quorum',
  10012: 'exists',
  10013: 'exists',
  10014: 'not-found',
  10023: 'full',
  10037: 'not-found',
  10039: 'not-allowed',
  10047: 'full',
  10054: 'too-large',
  10058: 'exists',
  10059: 'not-found',
  10060: 'not-found',
  10071: 'conflict',
  10074: 'no-peers',
  10076: 'not-allowed',
  10077: 'full',
  10148: 'exists',
  // The same id is under way: a quorum may never have it.
  10158: 'no-quorum',
  10164: 'conflict',
};

const faultOfName: Readonly<Record<string, NatsFault['fault']>> = {
  TimeoutError: 'timeout',
  NoRespondersError: 'no-quorum',
  // Also what a server says that has not found the others yet.
  JetStreamNotEnabled: 'no-quorum',
  AuthorizationError: 'not-allowed',
  PermissionViolationError: 'not-allowed',
  UserAuthenticationExpiredError: 'not-allowed',
  ClosedConnectionError: 'closed',
  DrainingConnectionError: 'closed',
  ConnectionError: 'unreachable',
};

/** `code`: of the server, if it has responded with an error. */
export function toNatsFault(error: unknown, code?: number): NatsFault {
  if (!(error instanceof Error)) return { fault: 'failed', detail: String(error) };
  const detail = error.message;
  if (code !== undefined)
    return {
      fault: faultOfCode[code] ?? (/maximum|insufficient/.test(detail) ? 'full' : 'failed'),
      detail,
    };
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const fault = faultOfName[cause.name];
    if (fault !== undefined) return { fault, detail };
  }
  if (/no responders|jetstream is not enabled/.test(detail)) return { fault: 'no-quorum', detail };
  if (/max_payload/.test(detail)) return { fault: 'too-large', detail };
  if (/timeout/i.test(detail)) return { fault: 'timeout', detail };
  return { fault: /ECONN|ENOTFOUND|refused/.test(detail) ? 'unreachable' : 'failed', detail };
}
