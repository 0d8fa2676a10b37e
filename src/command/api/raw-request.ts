// What is typed for `wm api` becomes a request: where its parameters go, and which method the service takes it for.

import { tunnelsMethod } from '../../client/read-only-session.ts';
import { percentEncode } from '../../client/request.ts';
import type { RawRequest } from '../../client/session.ts';
import type { Method } from '../../contract/operation.ts';
import { usageError } from '../../failure.ts';
import { isTokenName, parseApiPath, plainNames, queryNames, tokenReason } from './api-path.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];
/** Longer URLs are rejected by servers and proxies. */
const maxTargetLength = 6_900;

export interface ApiInput {
  readonly method: string;
  readonly path: string;
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  readonly state: string | undefined;
  readonly methodTunnel: boolean;
}

/** Throws a usage failure. */
export function buildRawRequest({ path, pairs, body, state, methodTunnel, ...typed }: ApiInput): RawRequest {
  const method = parseMethod(typed.method);
  const target = parseApiPath(path);
  for (const [name] of pairs)
    if (isTokenName(name))
      throw usageError(`-f ${name}: this parameter is not allowed`, undefined, tokenReason);
  const all = [...pairs, ...(state === undefined ? [] : [['state', state] as const])];
  const names = [...all.map(([name]) => name), ...queryNames(target)];
  if (tunnelsMethod(names.flatMap(plainNames)))
    throw usageError(
      'The parameter method is for --method-tunnel',
      `Give the method itself: wm api PUT ${path} --method-tunnel`,
    );
  if (methodTunnel && body)
    throw usageError('--method-tunnel sends a GET, which has no body', 'Give the values with -f KEY=VALUE.');
  if (method === 'GET' && body)
    throw usageError('--body needs a method with a body', `For example: wm api POST ${path} --body FILE`);
  const tunneled = methodTunnel && method !== 'GET' ? [['method', method] as const, ...all] : all;
  const encoded = tunneled.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
  const join = target.includes('?') ? '&' : '?';
  const inQuery = encoded === '' ? target : `${target}${join}${encoded}`;
  const isQuery =
    method === 'GET' || method === 'DELETE' || methodTunnel || body !== undefined || encoded === '';
  // As wm does for its own operations: a form only where it is one, or where the URL would be too long.
  const fits = method === 'PUT' && inQuery.length <= maxTargetLength;
  if (body !== undefined)
    return { method, target: inQuery, headers: { 'content-type': contentType(body) }, body, effect: method };
  if (isQuery || fits)
    return { method: methodTunnel ? 'GET' : method, target: inQuery, headers: {}, effect: method };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method, target, headers, body: encoded, effect: method };
}

function parseMethod(text: string): Method {
  const method = methods.find((one) => one === text.toUpperCase());
  if (method) return method;
  throw usageError(
    `${JSON.stringify(text)} is not a method of the service`,
    `Use one of ${methods.join(', ')}; for example: wm api GET /tasks`,
  );
}

/** By its beginning: an upload may be anything else. */
function contentType(body: Uint8Array): string {
  const start = new TextDecoder().decode(body.subarray(0, 100)).trimStart();
  return /^[[{]/.test(start) ? 'application/json' : 'application/octet-stream';
}
