// A call of the API from its request to its answer: which operation, who calls, with which parameters, then the call
// itself. `method`, `state` and `access_token` of the query are taken out here, since every call may have them.

import { type Operation, operations } from '../../contract/operation.ts';
import { parseArguments, readBodyArguments, toRawArguments } from '../http/arguments.ts';
import { ErrorResponse, invalidParameter } from '../http/error-response.ts';
import { extractPageRequest } from '../http/paging.ts';
import { parsePairs, type ReceivedRequest } from '../http/request.ts';
import {
  type ApiResult,
  type OutgoingResponse,
  optionsResponse,
  successResponse,
  toResponse,
} from '../http/response.ts';
import { httpMethods, type Route, Router } from '../http/router.ts';
import { isNavigation } from '../http/same-origin.ts';
import { authenticate, requireScope } from '../service/authenticate.ts';
import type { Service } from '../service/service.ts';
import { accountHandlers } from './account.ts';
import { attachmentHandlers, attachmentOperations } from './attachments.ts';
import { auditAndBatchHandlers, auditAndBatchOperations } from './audit-and-batch.ts';
import { commentHandlers, commentOperations } from './comments.ts';
import type { EndpointRequest, Handlers } from './endpoint.ts';
import { listHandlers, listOperations } from './minor-lists.ts';
import { taskHandlers } from './tasks.ts';
import { timelogHandlers, timelogOperations } from './timelogs.ts';
import { webhookHandlers } from './webhooks.ts';

const namedHandlers = {
  ...auditAndBatchHandlers,
  ...commentHandlers,
  ...timelogHandlers,
  ...attachmentHandlers,
  ...listHandlers,
};
const handlers: Handlers & typeof namedHandlers = {
  ...taskHandlers,
  ...webhookHandlers,
  ...accountHandlers,
  ...namedHandlers,
};
const rows = {
  ...operations,
  ...auditAndBatchOperations,
  ...commentOperations,
  ...timelogOperations,
  ...attachmentOperations,
  ...listOperations,
};
type Name = keyof typeof rows;

/** By which faults are asked for. */
export const operationNames: readonly string[] = Object.keys(rows);

// The rows are written with exactly these keys.
const router = new Router(Object.entries(rows) as [Name, Operation][]);

interface Common {
  readonly method?: string;
  readonly state?: string;
  readonly access_token?: string;
}

const commonNames: readonly string[] = ['method', 'state', 'access_token'];

interface Query {
  readonly common: Common;
  readonly rest: readonly (readonly [string, string])[];
}

function parseQuery({ query, method }: ReceivedRequest): Query {
  const pairs = parsePairs(query);
  const common: Record<string, string> = {};
  for (const [name, value] of pairs) {
    if (!commonNames.includes(name)) continue;
    if (name in common) throw invalidParameter(name, 'it stands there more than once');
    common[name] = value;
  }
  if (common['method'] !== undefined) {
    if (method !== 'GET') throw invalidParameter('method', `it comes with GET alone, not with ${method}`);
    if (!httpMethods.includes(common['method']))
      throw invalidParameter('method', `it is not one of ${httpMethods.join(', ')}`);
  }
  return { common, rest: pairs.filter(([name]) => !commonNames.includes(name)) };
}

/** An API call that has found its operation and waits to be run. */
export interface PreparedRequest {
  /** The name by which faults are asked for. */
  readonly name: string;
  readonly run: () => Promise<OutgoingResponse>;
}

export function prepareApiRequest(service: Service, request: ReceivedRequest, path: string): PreparedRequest {
  if (request.method === 'OPTIONS')
    return { name: 'options', run: async () => optionsResponse(router.methods(path), path) };
  try {
    const query = parseQuery(request);
    const asked = request.method === 'HEAD' ? 'GET' : request.method;
    const route = router.find(query.common.method ?? asked, path);
    // Whoever types the address of a page may be redirected here by it, and the browser names no other site then.
    if (query.common.method !== undefined && query.common.method !== 'GET' && isNavigation(request))
      throw new ErrorResponse(
        'access_forbidden',
        `A browser's address bar changes nothing: send the request from a program`,
      );
    return {
      name: route.name,
      run: () => respond(() => runHandler(service, request, route, query), query.common.state),
    };
  } catch (error) {
    return { name: 'none', run: () => respond(() => Promise.reject(error), undefined) };
  }
}

async function respond(call: () => Promise<ApiResult>, state: string | undefined): Promise<OutgoingResponse> {
  try {
    return successResponse(await call(), state);
  } catch (error) {
    if (error instanceof ErrorResponse) return toResponse(error);
    throw error;
  }
}

const wholeList = { from: 0 };

async function runHandler(
  service: Service,
  request: ReceivedRequest,
  route: Route<Name>,
  query: Query,
): Promise<ApiResult> {
  const session = authenticate(service, request, query.common.access_token);
  service.rateLimit.count(session.token.id);
  requireScope(session, route.operation.scopes);
  const inBody =
    request.method === 'GET' || request.method === 'HEAD' ? [] : await readBodyArguments(request);
  const given = [...toRawArguments(query.rest), ...inBody];
  const { name, operation, ids } = route;
  const taken = name.startsWith('list') ? extractPageRequest(given) : { wish: wholeList, rest: given };
  const { rest } = taken;
  // Pages are assumed: without what is assumed, a list comes whole.
  const wish = service.settings.bare ? wholeList : taken.wish;
  // The route's arguments are those of its own rows, which the compiler cannot follow through the name.
  const call = handlers[name] as (call: EndpointRequest<unknown>) => ApiResult | Promise<ApiResult>;
  return call({
    service,
    session,
    ids,
    arguments: parseArguments(operation.parameters, rest),
    pageRequest: wish,
  });
}
