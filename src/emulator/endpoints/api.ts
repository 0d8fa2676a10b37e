// An API request from routing to response: its operation, its session, its own parameters and the common ones, its handler.

import { apiPath } from '#contract/authorization.ts';
import { isJsonObject } from '#contract/json.ts';
import type { Operation } from '#contract/operation.ts';
import { showsScopes } from '#contract/operations.ts';
import { comesInPages, isList } from '#contract/page-parameters.ts';
import { commonParameters } from '#contract/parameter.ts';
import type { Schema } from '#contract/schema.ts';
import { parseArguments, type RawArgument, readBodyArguments, toRawArguments } from '../http/arguments.ts';
import { ErrorResponse, forbidden, invalidParameter, unknownParameter } from '../http/error-response.ts';
import { multipartType, receiveFile } from '../http/multipart.ts';
import { extractPaging, type NextPage, type Position } from '../http/paging.ts';
import {
  announcesBody,
  contentType,
  findState,
  hasBody as hasContent,
  type Pair,
  parsePairs,
  type ReceivedRequest,
} from '../http/request.ts';
import * as http from '../http/response.ts';
import { becauseOf, createRouter, httpMethods, type Route } from '../http/router.ts';
import { isNavigation } from '../http/same-origin.ts';
import { tolerate } from '../http/tolerances.ts';
import { authenticate, requireScope } from '../service/authenticate.ts';
import type { Service, Session } from '../service/service.ts';
import { accountHandlers } from './account.ts';
import { attachmentHandlers } from './attachments.ts';
import { batchHandlers } from './batch.ts';
import { commentHandlers } from './comments.ts';
import { createHandlers } from './create-items.ts';
import { dependencyHandlers } from './dependencies.ts';
import { createCaller, type EndpointRequest, type Handlers, type Name, rows } from './endpoint.ts';
import { folderHandlers } from './folders.ts';
import { referenceHandlers } from './reference-endpoints.ts';
import { taskHandlers } from './tasks.ts';
import { timelogHandlers } from './timelogs.ts';
import { webhookHandlers } from './webhooks.ts';

const handlers: Handlers = {
  ...taskHandlers,
  ...createHandlers,
  ...folderHandlers,
  ...batchHandlers,
  ...commentHandlers,
  ...timelogHandlers,
  ...attachmentHandlers,
  ...dependencyHandlers,
  ...webhookHandlers,
  ...accountHandlers,
  ...referenceHandlers,
};

/** The names of requests in faults and in the log. */
export const requestNames: readonly string[] = [...Object.keys(rows), 'authorize', 'token', 'convert'];

// The rows have exactly these keys.
const router = createRouter(Object.entries(rows) as [Name, Operation][]);

/** The name of the operation with this method and absolute path; its ids are not validated. */
export function operationAt(method: string, path: string): string | undefined {
  if (!path.startsWith(`${apiPath}/`)) return undefined;
  return router.at(method, path.slice(apiPath.length))?.name;
}

/** Every server reads so much. @see [RFC 9110 §4.1](https://www.rfc-editor.org/rfc/rfc9110#section-4.1) */
const everyQueryBytes = 8_000;

type CommonName = keyof typeof commonParameters;
// The table has exactly these keys.
const commonNames = Object.keys(commonParameters) as readonly CommonName[];

function parseQuery({ query, method }: ReceivedRequest) {
  const common: { [N in CommonName]?: string } = {};
  const rest: Pair[] = [];
  for (const pair of parsePairs(query)) {
    const name = commonNames.find((each) => each === pair[0]);
    if (name === undefined) rest.push(pair);
    else if (name in common) throw invalidParameter(name, 'it is given more than once', 'repeated-parameter');
    else common[name] = pair[1];
  }
  if (common.method !== undefined) {
    if (method !== 'GET')
      throw invalidParameter('method', `it is only allowed with GET, not with ${method}`, 'method-parameter');
    if (!httpMethods.includes(common.method))
      throw invalidParameter('method', `it is not one of ${httpMethods.join(', ')}`, 'stated');
  }
  return { common, rest };
}

export interface PreparedRequest {
  readonly name: string;
  /** The effective method: `method` in the query replaces the request's. */
  readonly method?: string;
  /** The emulator does not have this operation, so a stub may respond. */
  readonly isUnknown?: boolean;
  /** The `state` that an error response echoes. */
  readonly state?: string | undefined;
  /** Rejects with an {@link ErrorResponse} for an invalid request. */
  readonly run: () => Promise<http.OutgoingResponse>;
}

export function prepareApiRequest(service: Service, request: ReceivedRequest, path: string): PreparedRequest {
  if (request.method === 'OPTIONS')
    return { name: 'options', run: async () => http.optionsResponse(router.methods(path), path) };
  const notes = new http.ResponseNotes(service.settings.mode);
  const state = findState(request);
  try {
    const query = parseQuery(request);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const slash = path.length > 1 && path.endsWith('/');
    const route = router.find(query.common.method ?? method, slash ? path.slice(0, -1) : path);
    if (request.method === 'HEAD') notes.assume('other-methods');
    if (state !== undefined) notes.assume('state-echo');
    if (request.path.includes('//')) tolerate(notes, 'double-slash');
    if (slash) tolerate(notes, 'trailing-slash');
    if (request.query.includes('+')) tolerate(notes, 'plus-sign');
    if (request.query.length > everyQueryBytes) notes.assume('long-values');
    // A page that the user opened by its address can redirect here, and the browser then names no other site.
    if (query.common.method !== undefined && query.common.method !== 'GET' && isNavigation(request))
      throw forbidden(
        'A request from the address bar of a browser must not change anything: use a program',
        'emulator',
      );
    return {
      name: route.name,
      method: route.operation.method,
      state,
      run: () => respond({ service, request, route, query, notes }, state),
    };
  } catch (error) {
    return {
      name: 'none',
      isUnknown: error instanceof ErrorResponse && error.error === 'method_not_found',
      state,
      run() {
        if (error instanceof ErrorResponse && error.because === 'other-endpoints')
          service.reportUnknown(error.message);
        return Promise.reject(error);
      },
    };
  }
}

interface ApiRequest {
  readonly service: Service;
  readonly request: ReceivedRequest;
  readonly route: Route<Name>;
  readonly query: ReturnType<typeof parseQuery>;
  readonly notes: http.ResponseNotes;
}

async function respond(routed: ApiRequest, state: string | undefined): Promise<http.OutgoingResponse> {
  const { service, request, route, query, notes } = routed;
  const { name, operation, ids } = route;
  const session = authenticate(service, request, query.common.access_token);
  const { token } = session;
  service.rateLimit.count(token.id);
  requireScope(session, operation.scopes, showsScopes(name) ? 'missing-scope' : 'operation-scopes');
  if (query.common.access_token !== undefined && request.headers.authorization !== undefined)
    tolerate(notes, 'token-twice');
  const file = operation.takesFile ? await receiveFile(request) : undefined;
  const ignoresBody = request.method === 'GET' || request.method === 'HEAD' || file !== undefined;
  // Most requests have no body, and need not wait for one.
  const bodyArguments = ignoresBody || !announcesBody(request) ? [] : await readBodyArguments(request);
  if (ignoresBody && file === undefined && hasContent(request)) notes.ignore('(body)');
  const read = readArguments(routed, session, bodyArguments);
  // The arguments match the handler, because both are of the same name, which the compiler cannot see.
  const handle = handlers[name] as (request: EndpointRequest) => ReturnType<Handlers[Name]>;
  const caller = createCaller(service, session, notes);
  const handled = handle(
    Object.assign(caller, { arguments: read.arguments, pageRequest: read.pageRequest, token, ids, file }),
  );
  const result = handled instanceof Promise ? await handled : handled;
  if ('file' in result) return http.fileResponse(result, notes.headers);
  const { kind, record } = operation;
  if (service.settings.mode !== 'bare') return http.successResponse(kind, result, state, notes.headers);
  const data = result.data.map((item) => onlyShown(record, item));
  return http.successResponse(kind, { ...result, data }, state, notes.headers);
}

/** The parts of `value` that the contract shows, at every depth. An object without a shape loses all members. */
function onlyShown({ form }: Schema<unknown>, value: unknown): unknown {
  if (form?.kind === 'list' && Array.isArray(value))
    return value.map((entry: unknown) => onlyShown(form.item, entry));
  if ((form?.kind !== 'object' && form?.kind !== 'any') || !isJsonObject(value)) return value;
  const shape = form.kind === 'object' ? form.shape : {};
  const shown = Object.entries(value).flatMap(([name, member]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return schema === undefined || schema.assumed ? [] : [[name, onlyShown(schema, member)]];
  });
  return Object.fromEntries(shown);
}

/** The parameters that only the service can put into effect. */
const withoutEffect: { readonly [N in Name]?: readonly string[] } = {
  createInvitation: ['subject', 'message'],
  updateInvitation: ['resend'],
  createGroup: ['avatar'],
  updateGroup: ['avatar'],
  getDataExportSchema: ['version'],
};

const wholeList = { from: 0 } as const;

/** The parameters, and the page that they ask for. */
function readArguments(routed: ApiRequest, session: Session, bodyArguments: readonly RawArgument[]) {
  const { service, request, route, query, notes } = routed;
  const { name, operation } = route;
  const queryArguments = toRawArguments(query.rest);
  const hasBody = bodyArguments.length > 0;
  if (hasBody && contentType(request) === multipartType) tolerate(notes, 'multipart-parameters');
  if (hasBody && name === 'updateTask') notes.assume('parameter-place');
  const isForm = operation.evidence === 'stated' && operation.parametersIn === 'form';
  if (isForm && queryArguments.length > 0) tolerate(notes, 'webhook-query');
  if (operation.assumption !== undefined) notes.assume(operation.assumption);
  const onUnknown = ({ name: parameter }: RawArgument) => {
    if (isList(name) && !/^fields(\[\d{0,3}\])?$/.test(parameter))
      throw unknownParameter(parameter, 'unknown-parameter');
    tolerate(notes, 'unknown-parameter', parameter);
    notes.ignore(parameter);
    service.reportIgnored(`${operation.method} ${operation.path}`, parameter);
  };
  const { rest, page } = readPaging(
    routed,
    session,
    hasBody ? [...queryArguments, ...bodyArguments] : queryArguments,
  );
  if (operation.filterAssumption !== undefined && rest.some((argument) => argument.name !== 'fields'))
    notes.assume(operation.filterAssumption);
  const parsed = parseArguments(operation.parameters, rest, {
    strict: notes.strict,
    assume: notes.assume,
    because: becauseOf(operation),
    areFilters: operation.method === 'GET',
    onUnknown: operation.evidence === 'stated' ? undefined : onUnknown,
  });
  for (const parameter of withoutEffect[name] ?? [])
    if (parsed[parameter] !== undefined) notes.ignore(parameter);
  if (page === undefined) return { arguments: parsed, pageRequest: wholeList };
  const { parameters = parsed } = page;
  const tokenOf = (next: Position) => service.pages.add({ ...page, parameters, ...next });
  return { arguments: parameters, pageRequest: { ...page, tokenOf } };
}

/** The parameters but those of pages, and the page that they ask for. */
function readPaging(
  { service: { settings, pages }, route: { name, operation, ids }, notes }: ApiRequest,
  { user }: Session,
  rawArguments: readonly RawArgument[],
): { readonly rest: readonly RawArgument[]; readonly page?: NextPage } {
  const names = rawArguments.map((argument) => argument.name);
  const isUnshown = settings.mode === 'strict' && operation.evidence === 'stated';
  if (isUnshown || !comesInPages(name, operation, names)) return { rest: rawArguments };
  const { rest, size, token } = extractPaging(rawArguments, settings.mode);
  if (rest.length < rawArguments.length) notes.assume('list-pages');
  if (size === undefined && token === undefined) return { rest };
  const list = [user.id, name, ...ids.single.values()].join(' ');
  return { rest, page: token === undefined ? { list, from: 0, size } : pages.find(token, list) };
}
