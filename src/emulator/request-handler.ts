// Handles each request: rejects it if a page of another site may have sent it, routes it to the API, OAuth, a control endpoint or
// a page, applies an injected fault, and responds even if the emulator itself fails. Pages of an allowed origin get CORS headers.

import { inspect } from 'node:util';
import { apiPath, authorize, convert, token } from '#contract/authorization.ts';
import type { DataCentre } from '#contract/delivery.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { RequestHandler, ServerRequest, ServerResponse, ServerSocket } from '#world/world.ts';
import { controlName, handleControlRequest } from './control/routes.ts';
import { asyncApiDocument, documentPaths, openApiDocument } from './documents.ts';
import { type PreparedRequest, prepareApiRequest } from './endpoints/api.ts';
import { signedDownload } from './endpoints/attachments.ts';
import { exportPath, exportResponse } from './endpoints/batch.ts';
import { respondFrontPage, workspacePage } from './front-page/front-page.ts';
import { ErrorResponse, forbidden, invalidRequest, methodNotFound } from './http/error-response.ts';
import {
  type Fault,
  injectedResponse,
  replacementResponse,
  type Target,
  takesEffectFirst,
  withPage,
} from './http/injections.ts';
import { contentType, findState, parseRequest, type ReceivedRequest } from './http/request.ts';
import type { LoggedOutcome } from './http/request-log.ts';
import {
  assumptionHeader,
  ignoredParametersHeader,
  type OutgoingResponse,
  optionsResponse,
  sourceHeader,
  toResponse,
  warningHeader,
  withHeaders,
} from './http/response.ts';
import { httpMethods, withoutDoubleSlashes } from './http/router.ts';
import { senderOf } from './http/same-origin.ts';
import { authorizationEndpoint } from './oauth/authorization-endpoint.ts';
import { errorPage } from './oauth/consent-page.ts';
import { convertEndpoint, tokenEndpoint } from './oauth/token-endpoint.ts';
import { createOnceLog, type Service } from './service/service.ts';
import { errorMessage } from './state/error-message.ts';
import { filesPath } from './task/urls.ts';

/** The prefix of the requests that only an emulator has. */
const controlPath = '/_emulator';

function route(service: Service, received: ReceivedRequest): PreparedRequest {
  const { path } = received;
  const cleanPath = withoutDoubleSlashes(path);
  if (cleanPath.startsWith(`${apiPath}/`))
    return prepareApiRequest(service, received, cleanPath.slice(apiPath.length));
  if (path === authorize.path)
    return { name: 'authorize', run: () => authorizationEndpoint(service, received) };
  if (cleanPath === token.path) return { name: 'token', run: () => tokenEndpoint(service, received) };
  if (cleanPath === convert.path) return { name: 'convert', run: () => convertEndpoint(service, received) };
  if (path === controlPath || path.startsWith(`${controlPath}/`)) {
    const below = path.slice(controlPath.length);
    return { name: controlName, run: () => handleControlRequest(service, received, below) };
  }
  // The front page polls, so its requests take no faults and are not logged.
  if (path === '/')
    return preparePage(received, controlName, ['GET', 'POST'], () => respondFrontPage(service, received));
  if (path.startsWith(filesPath))
    return preparePage(received, 'downloadAttachment', ['GET'], () => signedDownload(service, received));
  if (path.startsWith(exportPath))
    return preparePage(received, 'page', ['GET'], () => exportResponse(service, path));
  const page = pages.get(path);
  if (page) return preparePage(received, 'page', ['GET'], () => page(service));
  if (path === '*' && received.method === 'OPTIONS')
    return { name: 'options', run: async () => optionsResponse(httpMethods, path) };
  return prepareNotFound(received);
}

const pages = new Map<string, (service: Service) => OutgoingResponse>([
  ['/open.htm', workspacePage],
  [documentPaths.openApi, openApiDocument],
  [documentPaths.asyncApi, asyncApiDocument],
]);

function preparePage(
  received: ReceivedRequest,
  name: string,
  methods: readonly string[],
  respond: () => OutgoingResponse | Promise<OutgoingResponse>,
): PreparedRequest {
  const { method, path } = received;
  if (method === 'OPTIONS') return { name, run: async () => optionsResponse(methods, path) };
  if (!methods.includes(method === 'HEAD' ? 'GET' : method)) return prepareNotFound(received);
  return { name, run: async () => respond() };
}

function prepareNotFound(received: ReceivedRequest): PreparedRequest {
  const { method, path } = received;
  const isVersion3 = path.startsWith('/api/v3/');
  const error = methodNotFound(method, path, isVersion3 ? 'version-3-paths' : 'emulator');
  const state = isVersion3 ? findState(received) : undefined;
  return { name: 'none', isUnknown: true, state, run: () => Promise.reject(error) };
}

function runPrepared(service: Service, prepared: PreparedRequest): Promise<OutgoingResponse> {
  return prepared.run().catch((error: unknown) => {
    // Names only the assumption behind the error: what was accepted before it had no effect.
    if (error instanceof ErrorResponse) return toResponse(error, prepared.state);
    service.settings.log(`internal error: ${inspect(error)}`);
    const description = `Internal error of the emulator: ${errorMessage(error)}. See its standard error for details, and please report it`;
    return toResponse(new ErrorResponse('server_error', description, 'emulator'));
  });
}

const ignore = () => undefined;

/** Each request of a connection starts when the previous one has taken effect, as at the service, even if its response is not sent yet. */
function createConnectionOrder() {
  const latest = new WeakMap<object, Promise<unknown>>();
  return <T>(connection: object, run: () => Promise<T> | T): Promise<T> => {
    const effect = (latest.get(connection) ?? Promise.resolve()).then(run);
    latest.set(connection, effect.then(ignore, ignore));
    return effect;
  };
}

export function createRequestHandler(service: Service, dataCentre: DataCentre): RequestHandler {
  const inOrder = createConnectionOrder();
  // For the user: the page only learns that its request failed. A page must not be able to fill the terminal.
  const logRejected = createOnceLog(service.settings.log, 20);
  const respondTo = (request: ServerRequest, received: ReceivedRequest): Promise<Outcome> | Outcome => {
    // `headers` has only the first of several.
    const hosts = request.headersDistinct['host']?.length ?? 0;
    if (hosts > 1) return { operation: 'none', response: twoHosts };
    if (hosts === 0 && request.httpVersion === '1.1') return { operation: 'none', response: noHost };
    const sender = senderOf(received, service.settings);
    if (!sender.trusted) {
      const { origin, why, hint } = sender;
      if (origin !== undefined) logRejected(`${why}; it was rejected. ${hint}`);
      if (received.path === authorize.path)
        return { operation: 'none', response: errorPage(`This request was rejected. ${why}.`, 403) };
      return { operation: 'none', response: toResponse(forbidden(`${why}. ${hint}`, 'emulator')) };
    }
    const { allowedOrigin } = sender;
    if (allowedOrigin === undefined) return handleRequest(service, received);
    // See https://fetch.spec.whatwg.org/#http-cors-protocol
    if (received.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      return { operation: 'options', response: preflightResponse(received), allowedOrigin };
    return handleRequest(service, received).then((outcome) => ({ ...outcome, allowedOrigin }));
  };
  const handle = async (request: ServerRequest, response: ServerResponse) => {
    const received = parseRequest(request, dataCentre);
    const outcome = await inOrder(request.socket, () =>
      // The request may have waited until its connection was closed.
      request.destroyed ? undefined : respondTo(request, received),
    );
    if (outcome === undefined) return;
    // Log first, so that a client that has its response also finds the request in the log.
    const { operation, response: outgoing, fault, delayMs } = outcome;
    if (operation !== controlName) service.requests.add(service.clock.now(), received, outcome);
    if (outgoing === undefined) return writeNothing(response);
    const complete = addHeaders(service, outcome, outgoing);
    if (delayMs !== undefined) await service.sleep(delayMs);
    else if (fault === undefined) await service.endOfTurn();
    if (fault?.cutAfter === undefined) writeResponse(response, complete);
    else writeTruncated(response, complete, fault.cutAfter);
  };
  return (request, response) => {
    request.on('error', ignore);
    response.on('error', ignore);
    handle(request, response).catch((error: unknown) => {
      service.settings.log(`could not send a response: ${String(error)}`);
      response.destroy();
    });
  };
}

/** @see [RFC 9112 §3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2) */
const noHost = toResponse(invalidRequest('The request has no Host header', 'emulator'));
const twoHosts = toResponse(invalidRequest('The request has more than one Host header', 'emulator'));

interface Outcome extends LoggedOutcome {
  readonly fault?: Fault;
  readonly delayMs?: number | undefined;
  readonly allowedOrigin?: string;
}

async function handleRequest(service: Service, received: ReceivedRequest): Promise<Outcome> {
  const prepared = route(service, received);
  const { name: operation, method = received.method } = prepared;
  if (operation === controlName) return { operation, response: await runPrepared(service, prepared) };
  const { path, query } = received;
  const target = { operation, method, path, query, isUnknown: prepared.isUnknown === true };
  // Reads the request to its end, like a service that fails late.
  const ignoreBody = () => received.body().catch(ignore);
  const fault = service.faults.take(target);
  if (fault !== undefined) {
    const state = findState(received);
    let response = toResponse(new ErrorResponse('server_error', 'An injected fault', 'emulator'), state);
    if (takesEffectFirst(fault)) response = await runPrepared(service, prepared);
    else await ignoreBody();
    response = replacementResponse(fault, state) ?? response;
    if (fault.emptyPage) response = withPage(response, service.pages.add({ from: 0, isEmpty: true }));
    const { silence, delayMs } = fault;
    return { operation, response: silence ? undefined : response, fault, injected: 'fault', delayMs };
  }
  const stub = service.stubs.all.length === 0 ? undefined : await takeStub(service, target, received);
  if (stub === undefined) return { operation, response: await runPrepared(service, prepared) };
  await ignoreBody();
  const { delayMs, status = 200 } = stub;
  const error = status < 400 ? undefined : replacementResponse(stub, findState(received));
  return { operation: 'stub', response: error ?? injectedResponse(stub), injected: 'stub', delayMs };
}

async function takeStub({ stubs }: Service, target: Target, received: ReceivedRequest) {
  // Other bodies may be files, which only the endpoint can read.
  const isText = /^application\/(json|x-www-form-urlencoded)$/.test(contentType(received));
  const readsBody = isText && stubs.all.some(({ withBody }) => withBody !== undefined);
  return stubs.take({ ...target, body: readsBody ? await received.body().catch(ignore) : undefined });
}

/** Adds a warning if a restart may lose changes, and for a page of an allowed origin the headers with which it may read the response. */
function addHeaders(service: Service, { allowedOrigin }: Outcome, response: OutgoingResponse) {
  // Headers cannot contain other characters.
  const detail = service.persistence?.fault?.detail.replace(/[^\x20-\x7e]/g, '?');
  const warning = detail !== undefined && { [warningHeader]: `The data file could not be saved: ${detail}` };
  const warned = warning ? withHeaders(response, warning) : response;
  if (allowedOrigin === undefined) return warned;
  return withHeaders(warned, {
    'Access-Control-Allow-Origin': allowedOrigin,
    'Access-Control-Expose-Headers': exposedHeaders,
    Vary: 'Origin',
  });
}

const ownHeaders = [warningHeader, assumptionHeader, sourceHeader, ignoredParametersHeader];
const exposedHeaders = ['Allow', 'Retry-After', 'WWW-Authenticate', ...ownHeaders].join(', ');

/** Allows any request of an allowed origin; the request itself may still fail. */
function preflightResponse({ headers }: ReceivedRequest): OutgoingResponse {
  const requestedHeaders = headers['access-control-request-headers'];
  // Chromium asks before a public page may send requests to this machine.
  const isPrivate = headers['access-control-request-private-network'] === 'true';
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': ['HEAD', ...httpMethods].join(', '),
      ...omitUndefined({ 'Access-Control-Allow-Headers': requestedHeaders }),
      ...(isPrivate && { 'Access-Control-Allow-Private-Network': 'true' }),
      'Access-Control-Max-Age': '600',
    },
    body: '',
  };
}

function writeResponse(response: ServerResponse, { status, headers, body, file }: OutgoingResponse): void {
  const content = file ?? body;
  const sized = status === 204 ? headers : { ...headers, 'Content-Length': Buffer.byteLength(content) };
  response.writeHead(status, sized);
  // Node omits the content for HEAD and for 204.
  response.end(content);
}

/** Writes the first bytes of the response, then closes the connection. */
function writeTruncated(response: ServerResponse, outgoing: OutgoingResponse, bytes: number): void {
  const { status, headers, body, file } = outgoing;
  const content = Buffer.from(file ?? body);
  const sized = { ...headers, 'Content-Length': content.length };
  const lines = Object.entries(sized).map(([name, value]) => `${name}: ${value}`);
  const statusLine = `HTTP/1.1 ${status} ${status < 400 ? 'OK' : 'Error'}`;
  const start = Buffer.from(`${statusLine}\r\n${lines.join('\r\n')}\r\n\r\n`);
  const complete = response.req.method === 'HEAD' ? start : Buffer.concat([start, content]);
  whenSocketAssigned(response, (socket) => {
    if (bytes === 0) socket.destroy();
    else socket.write(complete.subarray(0, bytes), () => socket.destroy());
  });
}

/** Writes nothing, and closes the connection once the client has closed its end. */
function writeNothing(response: ServerResponse): void {
  whenSocketAssigned(response, (socket) => {
    if (socket.readableEnded) socket.destroy();
    else socket.once('end', () => socket.destroy());
  });
}

/** A response has no socket until the earlier responses on its connection are written. */
function whenSocketAssigned(response: ServerResponse, use: (socket: ServerSocket) => void) {
  if (response.socket === null) response.once('socket', use);
  else use(response.socket);
}
