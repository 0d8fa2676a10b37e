// Stubs: responses to requests that the emulator does not have, for testing a client that also uses other parts of the service. The
// latest matching stub responds.

import { object, optional, type TypeOf, text } from '#contract/schema.ts';
import { injectedBodyShape, toSentBody } from './injected-body.ts';
import { parseRequestPattern, type RequestPattern } from './request-pattern.ts';
import type { OutgoingResponse } from './response.ts';
import { wholeNumber } from './whole-number.ts';

export const stubSchema = object('stub', {
  /** A pattern with its method: `POST /tasks/{id}/approvals`. */
  request: text('request', { notEmpty: true }),
  status: optional(wholeNumber('status', { from: 200, below: 600 })),
  ...injectedBodyShape,
  /** The number of requests it responds to; unlimited if undefined. */
  count: optional(wholeNumber('count', { from: 1 })),
});

export type Stub = TypeOf<typeof stubSchema>;

export type Stubs = ReturnType<typeof createStubs>;

interface Armed {
  readonly stub: Stub;
  readonly pattern: RequestPattern;
}

export function createStubs() {
  let armed: readonly Armed[] = [];
  return {
    /** Oldest first. */
    get all() {
      return armed.map(({ stub }) => stub);
    },
    /** Throws a ValidationError for an invalid pattern. */
    add(stub: Stub) {
      armed = [...armed, { stub, pattern: parseRequestPattern(stub.request) }];
    },
    /** The stub for this request, if there is one. It counts as used. */
    take(method: string, path: string) {
      const match = armed.findLast(({ pattern }) => pattern.matches(method, path));
      if (match === undefined) return undefined;
      const { stub, pattern } = match;
      const { count } = stub;
      if (count !== undefined) {
        const remaining = count > 1 ? [{ pattern, stub: { ...stub, count: count - 1 } }] : [];
        armed = armed.flatMap((entry) => (entry === match ? remaining : [entry]));
      }
      return stub;
    },
    clear() {
      armed = [];
    },
  };
}

export function stubResponse(stub: Stub): OutgoingResponse {
  const { status = 200, retryAfter } = stub;
  const sent = toSentBody(stub);
  return {
    status,
    headers: {
      ...(sent === undefined ? {} : { 'Content-Type': sent.contentType }),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
    body: sent?.body ?? '',
  };
}
