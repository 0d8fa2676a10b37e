// The door of each data centre: takes a request, rejects it where a page of another site may have sent it, finds what it
// is for (the API, signing in, the control calls, a page), and sees that every request gets a response, whatever happens
// inside.

import type { ServerResponse } from 'node:http';
import { apiPath, authorize, convert, token } from '../contract/authorization.ts';
import type { DataCentre } from '../contract/delivery.ts';
import type { RequestHandler } from '../world/world.ts';
import { prepareControlRequest } from './control/control.ts';
import { type PreparedRequest, prepareApiRequest } from './endpoints/api.ts';
import { frontPage, workspacePage } from './front-page.ts';
import { createConnectionQueue } from './http/connection-queue.ts';
import { isPreflight, preflightResponse, withCorsHeaders } from './http/cors.ts';
import { ErrorResponse, methodNotFound } from './http/error-response.ts';
import { type Fault, replacementResponse, takesEffectFirst } from './http/fault-injection.ts';
import { parseRequest, type ReceivedRequest } from './http/request.ts';
import { type OutgoingResponse, optionsResponse, toResponse, warningHeader } from './http/response.ts';
import { writeNothing, writeResponse, writeTruncated } from './http/response-writer.ts';
import { httpMethods } from './http/router.ts';
import { type Sender, senderOf } from './http/same-origin.ts';
import { authorizationEndpoint } from './oauth/authorization-endpoint.ts';
import { errorPage } from './oauth/consent-page.ts';
import { convertEndpoint, tokenEndpoint } from './oauth/token-endpoint.ts';
import type { Service } from './service/service.ts';
import type { SaveFault } from './state/persistence.ts';

/** Below it are the calls that only an emulator has. */
const controlPath = '/_emulator';

function route(service: Service, received: ReceivedRequest): PreparedRequest {
  const { path } = received;
  if (path.startsWith(`${apiPath}/`)) return prepareApiRequest(service, received, path.slice(apiPath.length));
  if (path === authorize.path)
    return { name: 'authorize', run: () => authorizationEndpoint(service, received) };
  if (path === token.path) return { name: 'token', run: () => tokenEndpoint(service, received) };
  if (path === convert.path) return { name: 'convert', run: () => convertEndpoint(service, received) };
  if (path.startsWith(`${controlPath}/`)) {
    return prepareControlRequest(service, received, path.slice(controlPath.length));
  }
  if (path === '/') return preparePage(received, () => frontPage(service));
  if (path === '/open') return preparePage(received, workspacePage);
  if (path === '*' && received.method === 'OPTIONS')
    return { name: 'options', run: async () => optionsResponse(httpMethods, path) };
  return prepareNotFound(received);
}

function preparePage(received: ReceivedRequest, page: () => OutgoingResponse): PreparedRequest {
  const { method, path } = received;
  if (method === 'OPTIONS') return { name: 'page', run: async () => optionsResponse(['GET'], path) };
  return method === 'GET' || method === 'HEAD'
    ? { name: 'page', run: async () => page() }
    : prepareNotFound(received);
}

const prepareNotFound = ({ method, path }: ReceivedRequest): PreparedRequest => ({
  name: 'none',
  run: async () => toResponse(methodNotFound(method, path)),
});

async function runPrepared(service: Service, prepared: PreparedRequest): Promise<OutgoingResponse> {
  try {
    return await prepared.run();
  } catch (error) {
    if (error instanceof ErrorResponse) return toResponse(error);
    const message = error instanceof Error ? error.message : String(error);
    service.settings.log(
      `a fault of the emulator: ${error instanceof Error ? (error.stack ?? message) : message}`,
    );
    return toResponse(
      new ErrorResponse(
        'server_error',
        `A fault of the emulator: ${message}. Its standard error has the details; please report it`,
      ),
    );
  }
}

export function createRequestHandler(service: Service, dataCentre: DataCentre): RequestHandler {
  const order = createConnectionQueue();
  const reportRejected = createRejectionLog(service);
  return (request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const received = parseRequest(request, dataCentre);
    // Where it had to wait, its connection may have broken meanwhile.
    const work = () => {
      if (request.destroyed) return undefined;
      const sender = senderOf(received, service.settings);
      if (sender.trusted) return handleFrom(sender, service, received);
      reportRejected(sender);
      return { response: rejectionResponse(sender, received) };
    };
    const handle = async () => {
      const outcome = await order(request.socket, work);
      if (outcome !== undefined) await reply(service, outcome, response, received.method === 'HEAD');
    };
    void handle().catch((error: unknown) => {
      service.settings.log(`an answer could not be sent: ${String(error)}`);
      response.destroy();
    });
  };
}

type Rejected = Sender & { trusted: false };

/** Tells the person who started the emulator, once for each origin: all that the page itself learns is that it failed. */
function createRejectionLog({ settings }: Service): (sender: Rejected) => void {
  const reported = new Set<string>();
  return ({ origin, why, hint }) => {
    if (origin === undefined || reported.has(origin) || reported.size >= maxReportedOrigins) return;
    reported.add(origin);
    settings.log(`${why}; it was rejected. ${hint}`);
  };
}

/** So that no page can fill a terminal. */
const maxReportedOrigins = 20;

function rejectionResponse({ why, hint }: Rejected, { path }: ReceivedRequest): OutgoingResponse {
  return path === authorize.path
    ? errorPage(`This request was rejected. ${why}.`, 403)
    : toResponse(new ErrorResponse('access_forbidden', `${why}. ${hint}`));
}

/** A client learns that what it changes may not be there after a restart. */
function withWarning(fault: SaveFault | undefined, answer: OutgoingResponse): OutgoingResponse {
  if (fault === undefined) return answer;
  // A header carries no other characters.
  const detail = fault.detail.replace(/[^\x20-\x7e]/g, '?');
  return {
    ...answer,
    headers: { ...answer.headers, [warningHeader]: `The data file could not be saved: ${detail}` },
  };
}

/** What a request has come to: its own answer, where it had its effect, and the fault that spoils it. */
interface Outcome {
  readonly response?: OutgoingResponse;
  readonly fault?: Fault;
  /** The page that may read the response. */
  readonly allowedOrigin?: string;
}

async function handleFrom(
  { allowedOrigin }: Sender & { trusted: true },
  service: Service,
  received: ReceivedRequest,
): Promise<Outcome> {
  if (allowedOrigin === undefined) return handleRequest(service, received);
  if (isPreflight(received)) return { response: preflightResponse(received), allowedOrigin };
  return { ...(await handleRequest(service, received)), allowedOrigin };
}

async function handleRequest(service: Service, received: ReceivedRequest): Promise<Outcome> {
  const prepared = route(service, received);
  const fault = prepared.name === 'control' ? undefined : service.faults.take(prepared.name);
  if (fault === undefined) return { response: await runPrepared(service, prepared) };
  if (takesEffectFirst(fault)) return { response: await runPrepared(service, prepared), fault };
  // The whole request is read either way, as a service that fails late would have done.
  await received.body().catch(() => undefined);
  return { fault };
}

async function reply(
  service: Service,
  { response, fault, allowedOrigin }: Outcome,
  connection: ServerResponse,
  head: boolean,
): Promise<void> {
  if (fault?.silence === true) return writeNothing(connection);
  const plain =
    (fault && replacementResponse(fault)) ??
    response ??
    toResponse(new ErrorResponse('server_error', 'A fault that was asked for'));
  const warned = withWarning(service.saveFault(), plain);
  const answer = allowedOrigin === undefined ? warned : withCorsHeaders(allowedOrigin, warned);
  if (fault === undefined) await service.endOfTurn();
  else if (fault.delayMs !== undefined) await service.sleep(fault.delayMs);
  if (fault?.cutAfter === undefined) writeResponse(connection, answer, head);
  else writeTruncated(connection, answer, fault.cutAfter, head);
}
