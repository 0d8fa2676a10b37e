// What a user injects: faults, which replace, delay or cut off responses of the emulator or keep it silent, and stubs, which respond to
// requests that it does not have. Each counts down with the requests that it matches.

import { parseJsonIfValid } from '#contract/json.ts';
import { anyJson, boolean, choice, object, optional, type TypeOf, text } from '#contract/schema.ts';
import { serviceErrors } from '#contract/service-error.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { LoggedRequest } from './request-log.ts';
import { isRequestPattern, parseRequestPattern } from './request-pattern.ts';
import { jsonResponse, type OutgoingResponse } from './response.ts';
import { wholeNumber } from './whole-number.ts';

const positive = optional(wholeNumber('count', { from: 1 }));
const natural = optional(wholeNumber('count', { from: 0 }));
const status = optional(wholeNumber('status', { from: 200, below: 600 }));

const bodyShape = {
  body: optional(text('body')),
  json: optional(anyJson),
  /** By default JSON for a JSON object or list, else plain text. */
  contentType: optional(
    text('content type', {
      pattern: { regex: /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/, description: 'such as application/json' },
    }),
  ),
  retryAfter: natural,
  delayMs: natural,
} as const;

export const faultSchema = object('fault', {
  /** The name of an API operation, `authorize`, `token`, `convert`, or `any`; or a pattern of its path: `PUT /tasks/{id}`. */
  request: text('name of a request', { notEmpty: true }),
  times: positive,
  status,
  /** The error code in the response body. */
  error: optional(text('error')),
  /** A body in place of an error; the default status is then 200. */
  ...bodyShape,
  /** Closes the connection after this many bytes of the response, headers included. */
  cutAfter: natural,
  /** No response at all. */
  silence: optional(boolean),
  /** Whether the fault comes before or after the operation takes effect. */
  when: optional(choice('moment', ['before', 'after'])),
});
export type Fault = TypeOf<typeof faultSchema>;

export const stubSchema = object('stub', {
  /** A pattern with its method: `POST /tasks/{id}/approvals`. */
  request: text('request', { notEmpty: true }),
  status,
  ...bodyShape,
  /** The number of requests it responds to; unlimited if undefined. */
  count: positive,
});
export type Stub = TypeOf<typeof stubSchema>;

type Target = Pick<LoggedRequest, 'operation' | 'method' | 'path'>;

/** `counter`: the member that says how often. `order`: which one takes effect if several match. */
function createInjections<N extends 'times' | 'count', T extends Stub & { readonly [K in N]?: number }>(
  counter: N,
  order: 'find' | 'findLast',
) {
  let armed: readonly { readonly injection: T; readonly isMatch: (request: Target) => boolean }[] = [];
  return {
    /** Oldest first. */
    get all(): readonly T[] {
      return armed.map(({ injection }) => injection);
    },
    /** Throws a ValidationError for an invalid pattern. */
    add(injection: T) {
      armed = [...armed, { injection, isMatch: matcherOf(injection.request) }];
    },
    /** The one for this request, if any. It counts as used. */
    take(request: Target): T | undefined {
      const match = armed[order](({ isMatch }) => isMatch(request));
      const uses = match?.injection[counter];
      if (match === undefined || uses === undefined) return match?.injection;
      const injection = { ...match.injection, [counter]: uses - 1 };
      const remaining = uses > 1 ? [{ ...match, injection }] : [];
      armed = armed.flatMap((entry) => (entry === match ? remaining : [entry]));
      return match.injection;
    },
    clear() {
      armed = [];
    },
  };
}

export const createFaults = () =>
  createInjections<'times', Fault & { readonly times: number }>('times', 'find');

export const createStubs = () => createInjections<'count', Stub>('count', 'findLast');

function matcherOf(request: string): (target: Target) => boolean {
  if (!isRequestPattern(request)) return ({ operation }) => request === operation || request === 'any';
  const pattern = parseRequestPattern(request);
  return ({ method, path }) => pattern.matches(method, path);
}

export const hasBody = ({ body, json }: Pick<Stub, 'body' | 'json'>): boolean =>
  body !== undefined || json !== undefined;

const retryAfterHeader = ({ retryAfter }: Pick<Stub, 'retryAfter'>): Record<string, string> =>
  retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };

export function injectedResponse(injection: Fault | Stub): OutgoingResponse {
  const {
    status = 200,
    json,
    contentType,
    body = json === undefined ? '' : JSON.stringify(json),
  } = injection;
  const type = hasBody(injection) && {
    'Content-Type': contentType ?? (json === undefined ? guessContentType(body) : jsonType),
  };
  return { status, headers: { ...type, ...retryAfterHeader(injection) }, body };
}

const jsonType = 'application/json;charset=utf-8';

function guessContentType(body: string): string {
  const decoded = parseJsonIfValid(body);
  return typeof decoded === 'object' && decoded !== null ? jsonType : 'text/plain;charset=utf-8';
}

/** Why the members contradict each other; undefined if they do not. */
export function whyContradictory(injection: Fault | Stub): string | undefined {
  const { body, json, contentType } = injection;
  if (body !== undefined && json !== undefined) return 'Give a body or JSON, not both';
  return contentType !== undefined && !hasBody(injection) ? 'A content type needs a body' : undefined;
}

/** Why a fault would have no effect; undefined if it has one. */
export function whyIneffective(fault: Fault): string | undefined {
  const { status, error, retryAfter, delayMs, cutAfter, silence } = fault;
  const hasOwnBody = hasBody(fault);
  if (error !== undefined && hasOwnBody) return 'Give an error or a body, not both';
  if (status === undefined && !hasOwnBody && (error !== undefined || retryAfter !== undefined))
    return 'An error or a Retry-After needs a status';
  const changesResponse = hasOwnBody || [status, delayMs, cutAfter].some((member) => member !== undefined);
  if (silence === true && changesResponse)
    return 'Silence sends no response: leave out the status, body, delay and cut, or the silence';
  const contradiction = whyContradictory(fault);
  if (contradiction !== undefined) return contradiction;
  if (changesResponse || silence === true) return undefined;
  return 'A fault needs a status, a body, a delay, a cut or silence';
}

export const describeEffect = ({
  status,
  error,
  body,
  json,
  retryAfter,
  delayMs,
  cutAfter,
  silence,
}: Omit<Fault, 'request' | 'when'>): string =>
  [
    status === undefined ? '' : `${status}${error === undefined ? '' : ` ${error}`}`,
    body === undefined ? '' : 'a custom body',
    json === undefined ? '' : 'a custom JSON body',
    retryAfter === undefined ? '' : `Retry-After ${retryAfter}`,
    delayMs === undefined ? '' : `delayed by ${delayMs} ms`,
    cutAfter === undefined ? '' : `cut after ${cutAfter} bytes`,
    silence ? 'no response' : '',
  ]
    .filter(Boolean)
    .join(', ');

/** The response that replaces the operation's own, if the fault replaces it. */
export function replacementResponse(fault: Fault, state?: string): OutgoingResponse | undefined {
  const { status, error } = fault;
  if (hasBody(fault)) return injectedResponse(fault);
  if (status === undefined) return undefined;
  const serviceError = Object.entries(serviceErrors).find(([, row]) => row.status === status)?.[0];
  const body = {
    errorDescription: 'An injected fault',
    error: error ?? serviceError ?? 'server_error',
    ...omitUndefined({ state }),
  };
  return jsonResponse(status, body, retryAfterHeader(fault));
}

/** By default only a delay lets the operation take effect. */
export function takesEffectFirst(fault: Fault): boolean {
  const { when, status, silence, cutAfter } = fault;
  if (when !== undefined) return when === 'after';
  return status === undefined && !hasBody(fault) && silence !== true && cutAfter === undefined;
}
