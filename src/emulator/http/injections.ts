// What a user injects: faults, which replace, delay or cut off responses of the emulator or keep it silent, and stubs, which respond to
// requests that it does not have, or with a certain query or body. Each counts down with the requests that it matches.

import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, parseJsonIfValid } from '#contract/json.ts';
import { anyJson, boolean, choice, list, object, optional, type TypeOf, text } from '#contract/schema.ts';
import { serviceErrors } from '#contract/service-error.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { LoggedRequest } from './request-log.ts';
import { isRequestPattern, parseRequestPattern } from './request-pattern.ts';
import { jsonResponse, jsonType, type OutgoingResponse } from './response.ts';
import { wholeNumber } from './whole-number.ts';

const positive = optional(wholeNumber('count', { from: 1 }));
const natural = optional(wholeNumber('count', { from: 0 }));
const status = optional(wholeNumber('status', { from: 200, below: 600 }));

export const headerLine = text('header', {
  pattern: { regex: /^[\w!#$%&'*+.^`|~-]+: ?[\x20-\x7e]*$/, description: 'such as Name: value, in ASCII' },
});

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

/** Headers are lines such as `Name: value`. */
const responseShape = { status, ...bodyShape, headers: optional(list(headerLine)) } as const;

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
  /** Adds a page to the last one of a list: it is empty, and names a page that is rejected. */
  emptyPage: optional(boolean),
  /** Whether the fault comes before or after the operation takes effect. */
  when: optional(choice('moment', ['before', 'after'])),
});
export type Fault = TypeOf<typeof faultSchema>;

export const stubSchema = object('stub', {
  /** A pattern with its method: `POST /tasks/{id}/approvals`. */
  request: text('request', { notEmpty: true }),
  /** Only requests whose body, JSON or a form, has these members, or has this text in it. */
  withBody: optional(anyJson),
  ...responseShape,
  /** One after the other, instead of one response; the last one stays. */
  responses: optional(list(object('response', responseShape))),
  /** The number of requests it responds to; unlimited if undefined. */
  count: positive,
});
export type Stub = TypeOf<typeof stubSchema>;

export interface Target extends Pick<LoggedRequest, 'operation' | 'method' | 'path'> {
  readonly query: string;
  /** The emulator does not have this operation. */
  readonly isUnknown: boolean;
  /** Only read if a stub depends on it. */
  readonly body?: string | undefined;
}

/** `counter`: the member that says how often. `order`: which one takes effect if several match. */
function createInjections<N extends 'times' | 'count', T extends Stub & { readonly [K in N]?: number }>(
  counter: N,
  order: 'find' | 'findLast',
  matcherOf: (injection: T) => (request: Target) => boolean,
) {
  let armed: readonly { readonly injection: T; readonly isMatch: (request: Target) => boolean }[] = [];
  return {
    /** Oldest first. */
    get all(): readonly T[] {
      return armed.map(({ injection }) => injection);
    },
    /** Throws a ValidationError for an invalid pattern. */
    add(injection: T) {
      armed = [...armed, { injection, isMatch: matcherOf(injection) }];
    },
    /** The one for this request, if any. It counts as used. */
    take(request: Target): T | undefined {
      const match = armed[order](({ isMatch }) => isMatch(request));
      if (match === undefined) return undefined;
      const { [counter]: uses, responses: [first, ...responses] = [] } = match.injection;
      const left = omitUndefined({ [counter]: uses && uses - 1, responses: responses[0] && responses });
      const remaining = uses === 1 ? [] : [{ ...match, injection: { ...match.injection, ...left } }];
      armed = armed.flatMap((entry) => (entry === match ? remaining : [entry]));
      return { ...match.injection, ...first };
    },
    clear() {
      armed = [];
    },
  };
}

export const createFaults = () =>
  createInjections<'times', Fault & { readonly times: number }>('times', 'find', ({ request }) => {
    if (!isRequestPattern(request)) return ({ operation }) => request === operation || request === 'any';
    return parseRequestPattern(request).matches;
  });

/** The emulator's own operations come before a stub that does not say which of their requests it is for. */
export const createStubs = () =>
  createInjections<'count', Stub>('count', 'findLast', ({ request, withBody }) => {
    const pattern = parseRequestPattern(request);
    const isFor = pattern.hasQuery || withBody !== undefined;
    return (target) =>
      (target.isUnknown || isFor) &&
      pattern.matches(target) &&
      (withBody === undefined || (target.body !== undefined && isBody(target.body, withBody)));
  });

function isBody(body: string, expected: unknown): boolean {
  if (typeof expected === 'string') return body.includes(expected);
  return hasMembers(parseJsonIfValid(body) ?? Object.fromEntries(new URLSearchParams(body)), expected);
}

/** A form has objects and numbers as texts. */
function hasMembers(sent: unknown, expected: unknown): boolean {
  const actual = typeof sent === 'string' && typeof expected === 'object' ? parseJsonIfValid(sent) : sent;
  if (!isJsonObject(expected)) return isDeepStrictEqual(actual, expected) || actual === String(expected);
  const members = Object.entries(expected);
  return isJsonObject(actual) && members.every(([name, member]) => hasMembers(actual[name], member));
}

const hasBody = ({ body, json }: Pick<Stub, 'body' | 'json'>) => body !== undefined || json !== undefined;

const headersOf = ({ retryAfter, headers = [] }: Pick<Stub, 'retryAfter' | 'headers'>) =>
  Object.fromEntries([
    ...(retryAfter === undefined ? [] : [['Retry-After', String(retryAfter)]]),
    ...headers.map((line) => line.split(/: ?(.*)/s, 2)),
  ]);

export function injectedResponse(injection: Fault | Stub): OutgoingResponse {
  const { status = 200, json, body = json === undefined ? '' : JSON.stringify(json) } = injection;
  const decoded = json === undefined ? parseJsonIfValid(body) : {};
  const isJson = typeof decoded === 'object' && decoded !== null;
  const { contentType = isJson ? jsonType : 'text/plain;charset=utf-8' } = injection;
  const type = hasBody(injection) && { 'Content-Type': contentType };
  return { status, headers: { ...type, ...headersOf(injection) }, body };
}

/** Why a stub, or one of its responses, cannot be; undefined if it can. */
export function whyImpossible(stub: Partial<Stub>): string | undefined {
  const { request: _, withBody: __, count: ___, responses, ...own } = stub;
  if (responses?.length === 0) return 'The list of responses is empty';
  if (responses && Object.keys(own).length > 0) return 'Give one response or a list of them, not both';
  if (stub.status === 204 && hasBody(stub)) return 'A response with status 204 has no body';
  return whyContradictory(stub);
}

/** Why the members contradict each other; undefined if they do not. */
function whyContradictory(injection: Partial<Stub>): string | undefined {
  const { body, json, contentType } = injection;
  if (body !== undefined && json !== undefined) return 'Give a body or JSON, not both';
  return contentType !== undefined && !hasBody(injection) ? 'A content type needs a body' : undefined;
}

/** Why a fault would have no effect; undefined if it has one. */
export function whyIneffective(fault: Fault): string | undefined {
  const { status, error, body, json, retryAfter, delayMs, cutAfter, silence, emptyPage } = fault;
  const hasOwnBody = hasBody(fault);
  if (error !== undefined && hasOwnBody) return 'Give an error or a body, not both';
  if (status === undefined && !hasOwnBody && (error !== undefined || retryAfter !== undefined))
    return 'An error or a Retry-After needs a status';
  const changes = [status, body, json, delayMs, cutAfter, emptyPage].some((member) => member !== undefined);
  if (silence === true && changes)
    return 'Silence sends no response: leave out the status, body, delay and cut, or the silence';
  const needed = 'A fault needs a status, a body, a delay, a cut, an empty page or silence';
  return whyContradictory(fault) ?? (changes || silence === true ? undefined : needed);
}

export function describeEffect(fault: Omit<Fault, 'request' | 'when'>): string {
  const { status, error, body, json, retryAfter, delayMs, cutAfter, silence, emptyPage } = fault;
  const effects = [
    status !== undefined && `${status}${error === undefined ? '' : ` ${error}`}`,
    body !== undefined && 'a custom body',
    json !== undefined && 'a custom JSON body',
    retryAfter !== undefined && `Retry-After ${retryAfter}`,
    delayMs !== undefined && `delayed by ${delayMs} ms`,
    cutAfter !== undefined && `cut after ${cutAfter} bytes`,
    silence && 'no response',
    emptyPage && 'an empty page at the end',
  ];
  return effects.filter(Boolean).join(', ');
}

/** The response that replaces the operation's own, if the fault replaces it. */
export function replacementResponse(fault: Fault, state?: string): OutgoingResponse | undefined {
  const { status, error } = fault;
  if (hasBody(fault)) return injectedResponse(fault);
  if (status === undefined) return undefined;
  const serviceError = Object.entries(serviceErrors).find(([, row]) => row.status === status)?.[0];
  const code = error ?? serviceError ?? 'server_error';
  const body = { errorDescription: 'An injected fault', error: code, ...omitUndefined({ state }) };
  return jsonResponse(status, body, headersOf(fault));
}

/** The last page of a list, which then names one more page. */
export function withPage(response: OutgoingResponse, nextPageToken: string): OutgoingResponse {
  const body = parseJsonIfValid(response.body);
  if (!isJsonObject(body) || !Array.isArray(body['data']) || 'nextPageToken' in body) return response;
  return { ...response, body: JSON.stringify({ ...body, nextPageToken, responseSize: body['data'].length }) };
}

/** By default only a delay lets the operation take effect. */
export function takesEffectFirst(fault: Fault): boolean {
  const { when, status, silence, cutAfter } = fault;
  if (when !== undefined) return when === 'after';
  return status === undefined && !hasBody(fault) && silence !== true && cutAfter === undefined;
}
