// What goes back over the wire, as a value: status, headers, body. Success and error bodies of the API are built here;
// writing an answer to a connection, whole or faulty on purpose, is wire.ts.

import type { ErrorBody } from '../contract/error.ts';
import { serviceErrors } from '../contract/error.ts';
import type { Kind } from '../contract/kind.ts';
import { noMethod, type Refusal } from './refusal.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a call of the API found or did. */
export interface Result {
  readonly kind: Kind;
  readonly data: readonly unknown[];
  /** Members beside `kind` and `data`, such as those of a page. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** Of what a client should know and no field of the contract carries. */
export const warningHeader = 'Emulator-Warning';

const jsonHeaders = {
  'Content-Type': 'application/json;charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { ...jsonHeaders, ...headers },
    body: JSON.stringify(value),
  };
}

export function success({ kind, data, beside }: Result, state: string | undefined): Answer {
  if (state === undefined && beside === undefined)
    return { status: 200, headers: jsonHeaders, body: JSON.stringify({ kind, data }) };
  return json(200, { kind, ...(state === undefined ? {} : { state }), ...beside, data });
}

/** To OPTIONS: the methods of a path. One that has none is not there. */
export function allowing(methods: readonly string[], path: string): Answer {
  if (methods.length === 0) return failure(noMethod('OPTIONS', path));
  return { status: 204, headers: { ...jsonHeaders, Allow: ['OPTIONS', ...methods].join(', ') }, body: '' };
}

/** The same sentence whatever is wrong with the token, so that nobody learns which tokens exist. */
const unauthorized = 'Access token is unknown or invalid';

export function failure({ error, message, retryAfter }: Refusal): Answer {
  const body: ErrorBody = { errorDescription: error === 'not_authorized' ? unauthorized : message, error };
  const headers: Record<string, string> = {};
  if (error === 'not_authorized') headers['WWW-Authenticate'] = 'Bearer';
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  return json(serviceErrors[error].status, body, headers);
}
