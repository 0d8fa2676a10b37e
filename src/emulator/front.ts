// The door of each data centre: takes a request, rejects it where a page of another site may have sent it, finds what it
// is for (the API, signing in, the control calls, a page), and sees that every request gets a response, whatever happens
// inside.

import type { ServerResponse } from 'node:http';
import { apiPath, authorize, convert, token } from '../contract/authorization.ts';
import type { DataCentre } from '../contract/delivery.ts';
import type { Handler } from '../world/world.ts';
import { type Answer, allowing, failure, warningHeader } from './answer.ts';
import { methods, type Prepared, prepareApi } from './api.ts';
import { prepareControl } from './control/control.ts';
import { isPreflight, preflight, readableBy } from './cors.ts';
import { type Fault, happensFirst, replacement } from './faults.ts';
import { frontPage, workspacePage } from './front-page.ts';
import { consent } from './login/consent.ts';
import { errorPage } from './login/page.ts';
import { convertEndpoint, tokenEndpoint } from './login/token-endpoint.ts';
import { createOrder } from './order.ts';
import type { SaveFault } from './persistence.ts';
import { type Received, receive } from './received.ts';
import { noMethod, Refusal } from './refusal.ts';
import { type Sender, senderOf } from './same-origin.ts';
import type { Service } from './service.ts';
import { send, sendCut, sendNothing } from './wire.ts';

/** Below it are the calls that only an emulator has. */
const controlPath = '/_emulator';

function prepare(service: Service, received: Received): Prepared {
  const { path } = received;
  if (path.startsWith(`${apiPath}/`)) return prepareApi(service, received, path.slice(apiPath.length));
  if (path === authorize.path) return { name: 'authorize', run: () => consent(service, received) };
  if (path === token.path) return { name: 'token', run: () => tokenEndpoint(service, received) };
  if (path === convert.path) return { name: 'convert', run: () => convertEndpoint(service, received) };
  if (path.startsWith(`${controlPath}/`)) {
    return prepareControl(service, received, path.slice(controlPath.length));
  }
  if (path === '/') return preparePage(received, () => frontPage(service));
  if (path === '/open') return preparePage(received, workspacePage);
  if (path === '*' && received.method === 'OPTIONS')
    return { name: 'options', run: async () => allowing(methods, path) };
  return nothing(received);
}

function preparePage(received: Received, page: () => Answer): Prepared {
  const { method, path } = received;
  if (method === 'OPTIONS') return { name: 'page', run: async () => allowing(['GET'], path) };
  return method === 'GET' || method === 'HEAD'
    ? { name: 'page', run: async () => page() }
    : nothing(received);
}

const nothing = ({ method, path }: Received): Prepared => ({
  name: 'none',
  run: async () => failure(noMethod(method, path)),
});

async function answerOf(service: Service, prepared: Prepared): Promise<Answer> {
  try {
    return await prepared.run();
  } catch (error) {
    if (error instanceof Refusal) return failure(error);
    const message = error instanceof Error ? error.message : String(error);
    service.settings.log(
      `a fault of the emulator: ${error instanceof Error ? (error.stack ?? message) : message}`,
    );
    return failure(
      new Refusal(
        'server_error',
        `A fault of the emulator: ${message}. Its standard error has the details; please report it`,
      ),
    );
  }
}

export function createHandler(service: Service, dataCentre: DataCentre): Handler {
  const order = createOrder();
  const reportRejected = createRejectionReport(service);
  return (request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const received = receive(request, dataCentre);
    // Where it had to wait, its connection may have broken meanwhile.
    const work = () => {
      if (request.destroyed) return undefined;
      const sender = senderOf(received, service.settings);
      if (sender.trusted) return workOutFor(sender, service, received);
      reportRejected(sender);
      return { own: rejection(sender, received) };
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
function createRejectionReport({ settings }: Service): (sender: Rejected) => void {
  const reported = new Set<string>();
  return ({ origin, why, hint }) => {
    if (origin === undefined || reported.has(origin) || reported.size >= mostOrigins) return;
    reported.add(origin);
    settings.log(`${why}; it was rejected. ${hint}`);
  };
}

/** So that no page can fill a terminal. */
const mostOrigins = 20;

function rejection({ why, hint }: Rejected, { path }: Received): Answer {
  return path === authorize.path
    ? errorPage(`This request was rejected. ${why}.`, 403)
    : failure(new Refusal('access_forbidden', `${why}. ${hint}`));
}

/** A client learns that what it changes may not be there after a restart. */
function withWarning(fault: SaveFault | undefined, answer: Answer): Answer {
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
  readonly own?: Answer;
  readonly fault?: Fault;
  /** The page that may read the response. */
  readonly readableBy?: string;
}

async function workOutFor(
  { allowedOrigin }: Sender & { trusted: true },
  service: Service,
  received: Received,
): Promise<Outcome> {
  if (allowedOrigin === undefined) return workOut(service, received);
  if (isPreflight(received)) return { own: preflight(received), readableBy: allowedOrigin };
  return { ...(await workOut(service, received)), readableBy: allowedOrigin };
}

async function workOut(service: Service, received: Received): Promise<Outcome> {
  const prepared = prepare(service, received);
  const fault = prepared.name === 'control' ? undefined : service.faults.take(prepared.name);
  if (fault === undefined) return { own: await answerOf(service, prepared) };
  if (happensFirst(fault)) return { own: await answerOf(service, prepared), fault };
  // The whole request is read either way, as a service that fails late would have done.
  await received.body().catch(() => undefined);
  return { fault };
}

async function reply(
  service: Service,
  { own, fault, readableBy: origin }: Outcome,
  response: ServerResponse,
  head: boolean,
): Promise<void> {
  if (fault?.silence === true) return sendNothing(response);
  const plain =
    (fault && replacement(fault)) ??
    own ??
    failure(new Refusal('server_error', 'A fault that was asked for'));
  const warned = withWarning(service.saveFault(), plain);
  const answer = origin === undefined ? warned : readableBy(origin, warned);
  if (fault === undefined) await service.turn();
  else if (fault.delayMs !== undefined) await service.wait(fault.delayMs);
  if (fault?.cutAfter === undefined) send(response, answer, head);
  else sendCut(response, answer, fault.cutAfter, head);
}
