// HTTP over Node's own client: the quickest to start, and all that a call without a proxy needs. Keeps a few
// connections open for a second, without keeping the process alive. Leaves proxies to http-undici.ts.

import type { Agent, ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { checkLiteralAddress, createFilteredLookup } from './http-address-filter.ts';
import {
  AddressNotAllowedError,
  Exchange,
  type ExchangeClock,
  parseTarget,
  type Target,
  wireHeaders,
} from './http-exchange.ts';
import { createTlsOptions, type TlsOptions } from './tls-certificates.ts';
import type { Http, HttpOptions, HttpRequest } from './world.ts';

// Short, since a request on a connection that the server is just closing has an unknown outcome.
const idleMs = 1000;
const maxSockets = 64;
// Node gives each address of a name 250 ms to connect, which far networks do not meet. (A name the types do not know.)
const connecting = { autoSelectFamilyAttemptTimeout: 1000 };

interface State {
  agents: { http?: Agent; https?: Agent };
  /** Connections that can carry a request at once. */
  readonly connected: WeakSet<Socket>;
  readonly tlsOptions: TlsOptions;
}

/** `trust`: what certificates are checked against, in place of Node's own list. */
export function createNodeHttp(clock: ExchangeClock, trust?: SecureContext): Http {
  const state: State = { agents: {}, connected: new WeakSet(), tlsOptions: createTlsOptions(trust) };
  return {
    async send(request, options) {
      const exchange = new Exchange(request.method, options, clock);
      const target = parseTarget(request.url);
      if (!target) exchange.fail('unreachable', 'not an address of http or https');
      else {
        try {
          await startRequest(exchange, request, target, options, state);
        } catch (error) {
          // A method, a path or a header that may not be put onto the wire.
          exchange.fail('malformed', error instanceof Error ? error.message : String(error));
        }
      }
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
  const { isIP } = await import('node:net');
  const node = target.isTls ? await import('node:https') : await import('node:http');
  const { connectTo, allowAddress } = options;
  const host = connectTo?.host ?? target.hostname;
  const refusal = allowAddress && (await checkLiteralAddress(host, allowAddress));
  if (refusal) exchange.failWith(refusal, target.isTls);
  const lookup = allowAddress && (await createFilteredLookup(allowAddress));
  const identity = connectTo && target.isTls ? await identityCheck(target.hostname) : {};
  if (exchange.isSettled) return;

  const scheme = target.isTls ? 'https' : 'http';
  state.agents[scheme] ??= new node.Agent({ keepAlive: true, maxSockets, timeout: idleMs });
  const outgoing = node.request({
    method: request.method,
    host,
    port: connectTo?.port ?? target.port,
    path: target.path,
    headers: headersOf(['host', target.host, ...wireHeaders(request)]),
    // An agent tells its connections apart by address and TLS name, not by who checks the certificate.
    agent: connectTo && target.isTls ? false : state.agents[scheme],
    ...connecting,
    ...(target.isTls
      ? { ...state.tlsOptions, servername: isIP(target.hostname) ? '' : target.hostname }
      : {}),
    ...(lookup ? { lookup } : {}),
    ...identity,
  });
  exchange.onFault(() => outgoing.destroy());
  outgoing.on('error', (error) => exchange.failWith(error, target.isTls));
  outgoing.on('close', () => exchange.fail('reset', 'the connection was closed without an answer'));
  watchConnection(exchange, outgoing, target.isTls, options, state.connected);
  readResponse(exchange, outgoing);
  // As bytes: Node would write the headers in the encoding of a body that is text.
  outgoing.end(request.body === undefined ? undefined : Buffer.from(request.body));
}

/** Says when the request may have begun to leave, and has the last word on the address. */
function watchConnection(
  exchange: Exchange,
  outgoing: ClientRequest,
  secure: boolean,
  { allowAddress }: HttpOptions,
  ready: WeakSet<Socket>,
): void {
  outgoing.on('socket', (socket) => {
    // A kept connection has been judged by whoever opened it, which may have been a call with other rules.
    const judge = () => {
      const address = socket.remoteAddress;
      if (allowAddress && address !== undefined && !allowAddress(address)) {
        exchange.failWith(new AddressNotAllowedError([address]), secure);
      }
    };
    if (ready.has(socket) || outgoing.reusedSocket) {
      judge();
      exchange.sent = true;
      return;
    }
    // Node writes nothing before these events; the listeners here run before those that write.
    socket.once('connect', judge);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      ready.add(socket);
      exchange.sent = true;
    });
  });
}

function readResponse(exchange: Exchange, outgoing: ClientRequest): void {
  outgoing.on('information', () => exchange.onInformational());
  outgoing.on('upgrade', () => exchange.fail('malformed', 'it switched to another protocol, unasked'));
  outgoing.on('response', (answer) => {
    answer.on('error', (error) => exchange.failWith(error, false));
    answer.on('data', (chunk: Uint8Array) => exchange.onData(chunk));
    answer.on('end', () => {
      if (answer.complete) exchange.onEnd();
      else exchange.fail('reset', 'the answer was cut off');
    });
    exchange.onHead(answer.statusCode ?? 0, headersOf(answer.rawHeaders));
  });
}

/** Of names and values in turn. */
function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = raw[i + 1] ?? '';
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
    const all = before === undefined ? value : `${before}, ${value}`;
    if (name !== '__proto__') headers[name] = all;
    // Which an assignment would take for something else.
    else Object.defineProperty(headers, name, { value: all, enumerable: true, configurable: true });
  }
  return headers;
}

/** Has the certificate checked against the URL's name rather than that of the machine connected to. */
async function identityCheck(hostname: string) {
  const { checkServerIdentity } = await import('node:tls');
  return {
    checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(hostname, certificate),
  };
}
