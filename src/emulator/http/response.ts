// What goes back over the wire, as a value: status, headers, body. Success and error bodies of the API are built here;
// writing an answer to a connection, whole or faulty on purpose, is response-writer.ts.

import type { Kind } from '../../contract/kind.ts';
import type { ErrorBody } from '../../contract/service-error.ts';
import { serviceErrors } from '../../contract/service-error.ts';
import { type ErrorResponse, methodNotFound } from './error-response.ts';

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a call of the API found or did. */
export interface ApiResult {
  readonly kind: Kind;
  readonly data: readonly unknown[];
  /** Members beside `kind` and `data`, such as those of a page. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Of what a client should know and no field of the contract carries. */
export const warningHeader = 'Emulator-Warning';

const jsonHeaders = {
  'Content-Type': 'application/json;charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): OutgoingResponse {
  return {
    status,
    headers: { ...jsonHeaders, ...headers },
    body: JSON.stringify(value),
  };
}

export function successResponse(
  { kind, data, extra }: ApiResult,
  state: string | undefined,
): OutgoingResponse {
  if (state === undefined && extra === undefined)
    return { status: 200, headers: jsonHeaders, body: JSON.stringify({ kind, data }) };
  return jsonResponse(200, { kind, ...(state === undefined ? {} : { state }), ...extra, data });
}

/** To OPTIONS: the methods of a path. One that has none is not there. */
export function optionsResponse(methods: readonly string[], path: string): OutgoingResponse {
  if (methods.length === 0) return toResponse(methodNotFound('OPTIONS', path));
  return { status: 204, headers: { ...jsonHeaders, Allow: ['OPTIONS', ...methods].join(', ') }, body: '' };
}

/** The same sentence whatever is wrong with the token, so that nobody learns which tokens exist. */
const unauthorizedDescription = 'Access token is unknown or invalid';

export function toResponse({ error, message, retryAfter }: ErrorResponse): OutgoingResponse {
  const body: ErrorBody = {
    errorDescription: error === 'not_authorized' ? unauthorizedDescription : message,
    error,
  };
  const headers: Record<string, string> = {};
  if (error === 'not_authorized') headers['WWW-Authenticate'] = 'Bearer';
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  return jsonResponse(serviceErrors[error].status, body, headers);
}
