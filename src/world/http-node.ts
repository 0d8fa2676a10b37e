// HTTP with Node's own client, which loads fastest and does all that a request without a proxy needs. Idle connections stay open
// for a second, but do not keep the process alive. http-undici.ts handles proxies.

import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { chooseAddress } from './http-address-filter.ts';
import { Exchange, type ExchangeClock, wireHeaders } from './http-exchange.ts';
import { AddressNotAllowedError, errorDetail } from './http-fault.ts';
import { createTargetParser, type Target } from './http-target.ts';
import { createTlsOptions } from './tls-certificates.ts';
import type { Http, HttpOptions, HttpRequest, StreamedBody } from './world.ts';

// Short: if the server is closing the connection, the outcome of a new request on it is unknown.
const idleMs = 1000;
// Node gives each address of a name 250 ms to connect, too little for distant hosts. (Node's types lack this option.)
const connectOptions = { autoSelectFamilyAttemptTimeout: 1000 };

interface State {
  agents: { http?: Agent; https?: Agent };
  /** Connected sockets: a request on one of them is written at once. */
  readonly connected: WeakSet<Socket>;
  readonly maxSockets: number;
  readonly trust: SecureContext | undefined;
}

/** `maxSockets`: at most this many to one host. `trust`: the certificates to trust instead of Node's own list. */
export function createNodeHttp(clock: ExchangeClock, maxSockets = 64, trust?: SecureContext): Http {
  const state: State = { agents: {}, connected: new WeakSet(), maxSockets, trust };
  const targetOf = createTargetParser();
  return {
    async send(request, options) {
      const exchange = new Exchange(request.method, options, clock);
      const target = targetOf(request.url);
      if (!target) exchange.fail('unreachable', 'not an http or https URL');
      else
        await startRequest(exchange, request, target, options, state).catch((error: unknown) =>
          // The method, the path or a header is not allowed in HTTP.
          exchange.fail('malformed', errorDetail(error)),
        );
      return exchange.outcome;
    },
  };
}

async function startRequest(
  exchange: Exchange,
  request: HttpRequest,
  target: Target,
  options: HttpOptions,
  state: State,
): Promise<void> {
  const client = target.isTls ? await import('node:https') : { Agent, request: requestHttp };
  const { connectTo } = options;
  const address = await chooseAddress(target, options);
  if (address instanceof Error) return exchange.failWith(address, target.isTls);
  const identity = connectTo && target.isTls ? await identityCheck(target.hostname) : {};
  if (exchange.isSettled) return;

  const scheme = target.isTls ? 'https' : 'http';
  state.agents[scheme] ??= new client.Agent({
    keepAlive: true,
    maxSockets: state.maxSockets,
    timeout: idleMs,
  });
  const outgoing = client.request({
    method: request.method,
    ...address,
    path: target.path,
    headers: headersOf(['host', target.host, ...wireHeaders(request)]),
    // An agent reuses connections by address and TLS name. It ignores the identity check.
    agent: connectTo && target.isTls ? false : state.agents[scheme],
    ...connectOptions,
    ...(target.isTls
      ? { ...createTlsOptions(state.trust), servername: isIP(target.hostname) ? '' : target.hostname }
      : {}),
    ...identity,
  });
  exchange.onFault(() => outgoing.destroy());
  outgoing.on('close', () => exchange.fail('reset', 'the connection was closed without a response'));
  watchConnection(exchange, outgoing, target.isTls, options, state.connected);
  readResponse(exchange, outgoing, target.isTls);
  // As bytes: with a text body, Node would encode the headers like the body.
  const { body } = request;
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array)
    outgoing.end(body === undefined ? undefined : Buffer.from(body));
  else void writeStreamed(exchange, outgoing, body);
}

/** Never rejects. Reads the next piece only after the connection has taken the last one, so that memory use stays flat. */
async function writeStreamed(exchange: Exchange, outgoing: ClientRequest, body: StreamedBody): Promise<void> {
  try {
    for await (const piece of await body.open()) {
      if (exchange.isSettled || outgoing.destroyed) return;
      if (!outgoing.write(piece)) await untilDrained(outgoing);
    }
    outgoing.end();
  } catch (error) {
    exchange.fail('aborted', errorDetail(error));
  }
}

function untilDrained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const onReady = () => {
      outgoing.off('drain', onReady).off('close', onReady);
      resolve();
    };
    outgoing.once('drain', onReady).once('close', onReady);
  });
}

/** Notes when the request may have left this machine, and checks the address of the connection. */
function watchConnection(
  exchange: Exchange,
  outgoing: ClientRequest,
  secure: boolean,
  { allowAddress }: HttpOptions,
  ready: WeakSet<Socket>,
): void {
  outgoing.on('socket', (socket) => {
    // The request that opened a reused connection may have allowed other addresses.
    const checkAddress = () => {
      const address = socket.remoteAddress;
      if (allowAddress && address !== undefined && !allowAddress(address))
        exchange.failWith(new AddressNotAllowedError([address]), secure);
    };
    if (ready.has(socket) || outgoing.reusedSocket) {
      checkAddress();
      exchange.sent = true;
      return;
    }
    // Node writes nothing before these events, and these listeners run before Node's own, which write.
    if (allowAddress) socket.once('connect', checkAddress);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      ready.add(socket);
      exchange.sent = true;
    });
  });
}

function readResponse(exchange: Exchange, outgoing: ClientRequest, secure: boolean): void {
  let incoming: IncomingMessage | undefined;
  outgoing.on('error', (error) => {
    // Read what arrived in one packet with the invalid bytes: Node has not passed it on yet.
    while (incoming?.read());
    exchange.failWith(error, secure);
  });
  outgoing.on('information', () => exchange.onInformational());
  outgoing.on('upgrade', () => exchange.fail('malformed', 'the server switched to another protocol'));
  outgoing.on('response', (response) => {
    incoming = response;
    response.on('error', (error) => exchange.failWith(error));
    response.on('data', (chunk: Uint8Array) => exchange.onData(chunk));
    response.on('end', () => {
      if (response.complete) exchange.onEnd();
      else exchange.fail('reset', 'the response was cut off');
    });
    exchange.onHead(response.statusCode ?? 0, headersOf(response.rawHeaders));
  });
}

/** `raw`: a flat list of names and values. */
function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = raw[i + 1] ?? '';
    const earlier = Object.hasOwn(headers, name) ? headers[name] : undefined;
    const joined = earlier === undefined ? value : `${earlier}, ${value}`;
    if (name !== '__proto__') headers[name] = joined;
    // A plain assignment would set the prototype.
    else Object.defineProperty(headers, name, { value: joined, enumerable: true, configurable: true });
  }
  return headers;
}

/** Checks the certificate against the host of the URL, not the host that we connect to. */
async function identityCheck(hostname: string) {
  const { checkServerIdentity } = await import('node:tls');
  return {
    checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(hostname, certificate),
  };
}
