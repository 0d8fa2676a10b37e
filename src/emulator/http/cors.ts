// CORS for pages of an allowed origin (--allow-origin): the response to a preflight, and the headers that let a page read a
// response. @see [Fetch: CORS protocol](https://fetch.spec.whatwg.org/#http-cors-protocol)

import { omitUndefined } from '#omit-undefined.ts';
import type { ReceivedRequest } from './request.ts';
import {
  assumptionHeader,
  ignoredParametersHeader,
  type OutgoingResponse,
  warningHeader,
  withHeaders,
} from './response.ts';
import { httpMethods } from './router.ts';

/** How long a browser may cache a preflight. Chromium caps this at two hours. */
const preflightSeconds = 600;

const exposedHeaders = [
  'Allow',
  'Retry-After',
  'WWW-Authenticate',
  warningHeader,
  assumptionHeader,
  ignoredParametersHeader,
].join(', ');

export function isPreflight({ method, headers }: ReceivedRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Allows any request of an allowed origin; the request itself may still fail. */
export function preflightResponse({ headers }: ReceivedRequest): OutgoingResponse {
  const requestedHeaders = headers['access-control-request-headers'];
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': ['HEAD', ...httpMethods].join(', '),
      ...omitUndefined({ 'Access-Control-Allow-Headers': requestedHeaders }),
      // Chromium asks before a public page may send requests to this machine.
      ...(headers['access-control-request-private-network'] === 'true'
        ? { 'Access-Control-Allow-Private-Network': 'true' }
        : {}),
      'Access-Control-Max-Age': String(preflightSeconds),
    },
    body: '',
  };
}

/** The response, readable only by pages of this origin. */
export function withCorsHeaders(origin: string, response: OutgoingResponse): OutgoingResponse {
  return withHeaders(response, {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': exposedHeaders,
    Vary: 'Origin',
  });
}
