// Injected faults: the next responses of an operation are replaced, delayed, cut off or never sent, either before or after
// the operation takes effect.

import { boolean, choice, object, optional, type TypeOf, text } from '#contract/schema.ts';
import { serviceErrors } from '#contract/service-error.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { hasBody, injectedBodyShape, toSentBody, whyContradictory } from './injected-body.ts';
import type { LoggedRequest } from './request-log.ts';
import { isRequestPattern, parseRequestPattern } from './request-pattern.ts';
import { jsonResponse, type OutgoingResponse } from './response.ts';
import { wholeNumber } from './whole-number.ts';

export const faultSchema = object('fault', {
  /** The name of an API operation, `authorize`, `token`, `convert`, or `any`; or a pattern of its path: `PUT /tasks/{id}`. */
  request: text('name of a request', { notEmpty: true }),
  times: optional(wholeNumber('count', { from: 1 })),
  status: optional(wholeNumber('status', { from: 200, below: 600 })),
  /** The error code in the response body. */
  error: optional(text('error')),
  /** A body in place of an error; the default status is then 200. */
  ...injectedBodyShape,
  /** Closes the connection after this many bytes of the response, headers included. */
  cutAfter: optional(wholeNumber('count', { from: 0 })),
  /** No response at all. */
  silence: optional(boolean),
  /** Whether the fault comes before or after the operation takes effect. */
  when: optional(choice('moment', ['before', 'after'])),
});

export type Fault = TypeOf<typeof faultSchema>;

type FaultTarget = Pick<LoggedRequest, 'operation' | 'method' | 'path'>;

export type Faults = ReturnType<typeof createFaults>;

interface Armed {
  readonly fault: Fault & { readonly times: number };
  readonly isMatch: (request: FaultTarget) => boolean;
}

export function createFaults() {
  let armed: readonly Armed[] = [];
  return {
    get pending() {
      return armed.map(({ fault }) => fault);
    },
    /** Throws a ValidationError for an invalid pattern. */
    add(fault: Fault) {
      const times = fault.times ?? 1;
      armed = [...armed, { fault: { ...fault, times }, isMatch: matcherOf(fault.request) }];
    },
    /** The fault for this request, if there is one. It counts as used. */
    take(request: FaultTarget) {
      const match = armed.find(({ isMatch }) => isMatch(request));
      if (match === undefined) return undefined;
      const times = match.fault.times - 1;
      const remaining = times > 0 ? [{ ...match, fault: { ...match.fault, times } }] : [];
      armed = armed.flatMap((entry) => (entry === match ? remaining : [entry]));
      return match.fault;
    },
    clear() {
      armed = [];
    },
  };
}

function matcherOf(request: string): Armed['isMatch'] {
  if (!isRequestPattern(request)) return ({ operation }) => request === operation || request === 'any';
  const pattern = parseRequestPattern(request);
  return ({ method, path }) => pattern.matches(method, path);
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

type Effect = Omit<Fault, 'request' | 'when'>;

export const describeEffect = ({
  status,
  error,
  body,
  json,
  retryAfter,
  delayMs,
  cutAfter,
  silence,
}: Effect): string =>
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
  const { error, retryAfter } = fault;
  const sent = toSentBody(fault);
  const status = fault.status ?? (sent === undefined ? undefined : 200);
  if (status === undefined) return undefined;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  if (sent !== undefined)
    return { status, headers: { 'Content-Type': sent.contentType, ...headers }, body: sent.body };
  const serviceError = Object.entries(serviceErrors).find(([, row]) => row.status === status)?.[0];
  const body = {
    errorDescription: 'An injected fault',
    error: error ?? serviceError ?? 'server_error',
    ...omitUndefined({ state }),
  };
  return jsonResponse(status, body, headers);
}

/** By default only a delay lets the operation take effect. */
export function takesEffectFirst(fault: Fault): boolean {
  const { when, status, silence, cutAfter } = fault;
  if (when !== undefined) return when === 'after';
  return status === undefined && !hasBody(fault) && silence !== true && cutAfter === undefined;
}
