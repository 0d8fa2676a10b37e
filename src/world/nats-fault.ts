// Reads responses of NATS servers, and maps errors and missing responses to a few faults. Callers decide what these mean.

import type { NatsFault } from './world.ts';

/** @see server/errors.json of nats-server. 10158: the same id is in progress, and may never reach a quorum. */
const faultCodes: readonly (readonly [NatsFault['fault'], readonly number[]])[] = [
  ['not-allowed', [10003, 10076]],
  ['no-peers', [10005, 10074]],
  // 10039: also from a server that has not found the others yet.
  ['no-quorum', [10008, 10009, 10039, 10158]],
  ['exists', [10012, 10013, 10058, 10148]],
  ['not-found', [10014, 10037, 10059, 10060]],
  ['full', [10023, 10047, 10077]],
  ['too-large', [10054]],
  ['conflict', [10071, 10164]],
];

const faultByName: Readonly<Record<string, NatsFault['fault']>> = {
  TimeoutError: 'timeout',
  AuthorizationError: 'not-allowed',
  PermissionViolationError: 'not-allowed',
  UserAuthenticationExpiredError: 'not-allowed',
  ClosedConnectionError: 'closed',
  DrainingConnectionError: 'closed',
  ConnectionError: 'unreachable',
};

const faultByText: readonly (readonly [RegExp, NatsFault['fault']])[] = [
  [/max_payload/, 'too-large'],
  [/timeout|heartbeat/i, 'timeout'],
  [/ECONN|ENOTFOUND|refused/, 'unreachable'],
];

export function toNatsFault(error: unknown): NatsFault {
  if (!(error instanceof Error)) return { fault: 'failed', detail: String(error) };
  const detail = error.message;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const fault = faultByName[cause.name];
    if (fault !== undefined) return { fault, detail };
  }
  return { fault: faultByText.find(([pattern]) => pattern.test(detail))?.[1] ?? 'failed', detail };
}

export interface NatsResponse {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly reply?: string;
  readonly headers?: { readonly code: number; readonly description: string; get(name: string): string };
  json<T>(): T;
}

/** Parses a response, which may be an error. Throws if it is not JSON. */
export function parseResponse<T extends object>(response: NatsResponse): T | NatsFault {
  const answer = response.json<T & Readonly<{ error?: { err_code: number; description: string } }>>();
  if (answer.error === undefined) return answer;
  const { err_code, description: detail } = answer.error;
  const fallback = /maximum|insufficient/.test(detail) ? 'full' : 'failed';
  return { fault: faultCodes.find(([, codes]) => codes.includes(err_code))?.[0] ?? fallback, detail };
}
