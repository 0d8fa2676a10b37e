// What a page of an allowed origin (--allow-origin) needs to read a response: the headers of CORS, on every response and
// on the preflight that a browser sends first. @see [Fetch, HTTP extensions: CORS protocol]

import type { ReceivedRequest } from './request.ts';
import { type OutgoingResponse, warningHeader } from './response.ts';
import { httpMethods } from './router.ts';

/** How long a browser may remember a preflight. Chromium forgets it after two hours anyway. */
const preflightSeconds = 600;

/** What a page may read beside the few headers that it always may. */
const exposedHeaders = ['Allow', 'Retry-After', 'WWW-Authenticate', warningHeader].join(', ');

export function isPreflight({ method, headers }: ReceivedRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** The response to a preflight of an allowed origin, whatever it asks for: the request itself may still fail. */
export function preflightResponse({ headers }: ReceivedRequest): OutgoingResponse {
  const wanted = headers['access-control-request-headers'];
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': ['HEAD', ...httpMethods].join(', '),
      ...(wanted === undefined ? {} : { 'Access-Control-Allow-Headers': wanted }),
      // Chromium asks before a page of the internet reaches into this machine.
      ...(headers['access-control-request-private-network'] === 'true'
        ? { 'Access-Control-Allow-Private-Network': 'true' }
        : {}),
      'Access-Control-Max-Age': String(preflightSeconds),
    },
    body: '',
  };
}

/** The same answer, which a page of that origin may read, and no other. */
export function withCorsHeaders(origin: string, { headers, ...answer }: OutgoingResponse): OutgoingResponse {
  return {
    ...answer,
    headers: {
      ...headers,
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': exposedHeaders,
      Vary: 'Origin',
    },
  };
}
