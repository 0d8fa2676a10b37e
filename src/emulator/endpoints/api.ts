// An API request from routing to response: its operation, its session, its parameters, then its handler. The query parameters
// that every request may have (`method`, `state`, `access_token`) are read here.

import { fileNameHeader, type Operation, operations } from '../../contract/operation.ts';
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
import { assumedListHandlers, assumedListOperations } from './assumed-lists.ts';
import { attachmentHandlers, attachmentOperations } from './attachments.ts';
import { batchHandlers } from './batch.ts';
import { commentHandlers, commentOperations } from './comments.ts';
import { createHandlers } from './create-items.ts';
import type { EndpointRequest, Handlers, ReceivedFile } from './endpoint.ts';
import { taskHandlers } from './tasks.ts';
import { timelogHandlers, timelogOperations } from './timelogs.ts';
import { webhookHandlers } from './webhooks.ts';

const namedHandlers = {
  ...batchHandlers,
  ...commentHandlers,
  ...timelogHandlers,
  ...attachmentHandlers,
  ...assumedListHandlers,
};
const handlers: Handlers & typeof namedHandlers = {
  ...taskHandlers,
  ...createHandlers,
  ...webhookHandlers,
  ...accountHandlers,
  ...namedHandlers,
};
const rows = {
  ...operations,
  ...commentOperations,
  ...timelogOperations,
  ...attachmentOperations,
  ...assumedListOperations,
};
type Name = keyof typeof rows;

/** The names that a fault may have. */
export const operationNames: readonly string[] = Object.keys(rows);

// The rows have exactly these keys.
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
    if (name in common) throw invalidParameter(name, 'it is given more than once');
    common[name] = value;
  }
  if (common['method'] !== undefined) {
    if (method !== 'GET') throw invalidParameter('method', `it is only allowed with GET, not with ${method}`);
    if (!httpMethods.includes(common['method']))
      throw invalidParameter('method', `it is not one of ${httpMethods.join(', ')}`);
  }
  return { common, rest: pairs.filter(([name]) => !commonNames.includes(name)) };
}

/** A request that has been routed and can be run. */
export interface PreparedRequest {
  /** The name that a fault for it has. */
  readonly name: string;
  readonly run: () => Promise<OutgoingResponse>;
}

export function prepareApiRequest(service: Service, request: ReceivedRequest, path: string): PreparedRequest {
  if (request.method === 'OPTIONS')
    return { name: 'options', run: async () => optionsResponse(router.methods(path), path) };
  try {
    const query = parseQuery(request);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = router.find(query.common.method ?? method, path);
    // A page whose address the user typed may redirect here, and then the browser does not name another site.
    if (query.common.method !== undefined && query.common.method !== 'GET' && isNavigation(request))
      throw new ErrorResponse(
        'access_forbidden',
        'A request from the address bar of a browser must not change anything: use a program',
      );
    return {
      name: route.name,
      run: () => respond(() => runHandler(service, request, route, query), query.common.state),
    };
  } catch (error) {
    return { name: 'none', run: () => respond(() => Promise.reject(error), undefined) };
  }
}

async function respond(run: () => Promise<ApiResult>, state: string | undefined): Promise<OutgoingResponse> {
  try {
    return successResponse(await run(), state);
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
  const file = route.operation.takesFile ? await receiveFile(request) : undefined;
  const hasNoArguments = request.method === 'GET' || request.method === 'HEAD' || file !== undefined;
  const inBody = hasNoArguments ? [] : await readBodyArguments(request);
  const given = [...toRawArguments(query.rest), ...inBody];
  const { name, operation, ids } = route;
  const taken = name.startsWith('list') ? extractPageRequest(given) : { pageRequest: wholeList, rest: given };
  const { rest } = taken;
  // Pagination is assumed, so `bare` lists are whole.
  const pageRequest = service.settings.mode === 'bare' ? wholeList : taken.pageRequest;
  // The arguments match the handler, because both are of the same name, which the compiler cannot see.
  const handle = handlers[name] as (request: EndpointRequest<unknown>) => ApiResult | Promise<ApiResult>;
  return handle({
    service,
    session,
    ids,
    arguments: parseArguments(operation.parameters, rest),
    pageRequest,
    ...(file === undefined ? {} : { file }),
  });
}

/** Percent-encoded, since a header cannot contain other characters than those of ASCII. */
async function receiveFile(request: ReceivedRequest): Promise<ReceivedFile | undefined> {
  const header = request.headers[fileNameHeader.toLowerCase()];
  if (typeof header !== 'string') return undefined;
  let name: string;
  try {
    name = decodeURIComponent(header);
  } catch {
    throw invalidParameter(fileNameHeader, 'it is not valid percent-encoding');
  }
  if (name === '') throw invalidParameter(fileNameHeader, 'it is empty');
  return { name, size: await request.discardBody() };
}
