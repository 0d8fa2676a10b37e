// HTTP with undici, which supports proxies (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) and is faster for many requests. It loads far more
// slowly than http-node.ts. Otherwise both behave alike and pass the same tests.

import type { IncomingHttpHeaders } from 'node:http';
import { Duplex, Readable } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { Agent, buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { createClock } from './clock.ts';
import { chooseAddress } from './http-address-filter.ts';
import { Exchange, type ExchangeClock, wireHeaders } from './http-exchange.ts';
import { connectFault, errorDetail, mayPass, ProxyError } from './http-fault.ts';
import { createTargetParser, type Target } from './http-target.ts';
import { chosenProxy, unsupportedKind } from './proxy-choice.ts';
import { createTlsOptions, type TlsOptions } from './tls-certificates.ts';
import type { Environment, Http, HttpFault, HttpOptions, HttpRequest, HttpResponse } from './world.ts';

// The exchange enforces its own time limit.
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
// Without TCP keep-alive: undici sets it before it connects, which then fails where the system lacks it (wine 8).
const connectOptions = { timeout: 0, autoSelectFamilyAttemptTimeout: 1000, keepAlive: false };
type SocketOptions = typeof connectOptions & TlsOptions;

/** `connections`: at most this many to one host. `trust`: the certificates to trust instead of Node's own list. */
export function createUndiciHttp(
  environment: Environment,
  clock: ExchangeClock = createClock(),
  connections = 64,
  trust?: SecureContext,
): Http {
  const socketOptions = { ...connectOptions, ...createTlsOptions(trust) };
  let shared: ReturnType<typeof createSharedAgent> | undefined;
  let active = 0;
  let isAbandoned = false;

  const sendShared = (exchange: Exchange, request: HttpRequest, target: Target) => {
    const kind = unsupportedKind(chosenProxy(target, environment));
    if (kind !== undefined) {
      exchange.fail('proxy', `${kind} proxies are not supported: use an http or https proxy`, false);
      return exchange.outcome;
    }
    try {
      shared ??= createSharedAgent(environment, connections, socketOptions);
    } catch (error) {
      exchange.fail('proxy', `the proxy's address is invalid: ${errorDetail(error)}`, false);
      return exchange.outcome;
    }
    active += 1;
    dispatch(exchange, request, target, shared.agent);
    return exchange.outcome.then((outcome) => {
      active -= 1;
      isAbandoned ||= !exchange.sent;
      if (active > 0 || !isAbandoned) return outcome;
      isAbandoned = false;
      const old = shared;
      shared = undefined;
      return old ? old.destroy().then(() => outcome) : outcome;
    });
  };
  const targetOf = createTargetParser();

  return {
    send(request, options) {
      const exchange = new Exchange(request.method, options, clock);
      const target = targetOf(request.url);
      if (!target) exchange.fail('unreachable', 'not an http or https URL');
      if (!target || exchange.isSettled) return exchange.outcome;
      if (options.connectTo || options.allowAddress)
        return sendAlone(exchange, request, target, options, socketOptions);
      return sendShared(exchange, request, target);
    },
  };
}

function createSharedAgent(environment: Environment, maxConnections: number, socketOptions: SocketOptions) {
  const proxy = (name: string) => {
    const value = environment[name.toLowerCase()] || environment[name] || '';
    // The request does not use this proxy: sendShared rejected those. Node prints a warning about a SOCKS proxy.
    if (unsupportedKind(value) !== undefined) return '';
    return value === '' || value.includes('://') ? value : `http://${value}`;
  };
  const connections = new Connections();
  const shared = {
    ...noTimeouts,
    connect: connections.connector(buildConnector(socketOptions)),
    connections: maxConnections,
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 1000,
  };
  const [httpProxy, httpsProxy] = [proxy('HTTP_PROXY'), proxy('HTTPS_PROXY')];
  const agent =
    httpProxy === '' && httpsProxy === ''
      ? new Agent(shared)
      : new EnvHttpProxyAgent({
          ...shared,
          // Always given: without them undici reads the process's own environment.
          httpProxy,
          httpsProxy,
          noProxy: environment['no_proxy'] ?? environment['NO_PROXY'] ?? '',
          requestTls: socketOptions,
          clientFactory: (origin) => new ProxyPool(origin, connections, socketOptions),
        });
  return {
    agent,
    async destroy() {
      connections.destroy();
      await agent.destroy();
    },
  };
}

/** Destroys sockets. A destroyed undici client keeps connecting, which would keep the process alive. */
class Connections {
  readonly #open = new Set<Duplex>();

  add(socket: Duplex): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }

  connector(connect: buildConnector.connector): buildConnector.connector {
    return (peer, callback) => {
      const socket: unknown = connect(peer, callback);
      if (socket instanceof Duplex) this.add(socket);
    };
  }

  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

type ConnectOptions = Omit<Dispatcher.ConnectOptions, 'origin'>;

/** Tells a fault of the proxy from one of the server behind it. undici reports both alike. */
class ProxyPool extends Pool {
  readonly #connections: Connections;

  constructor(origin: URL, connections: Connections, socketOptions: SocketOptions) {
    const connect = buildConnector(socketOptions);
    super(origin, {
      ...noTimeouts,
      connect: connections.connector((peer, callback) =>
        connect(peer, (...[error, socket]) =>
          error ? callback(unusableProxy(error, peer.protocol === 'https:'), null) : callback(null, socket),
        ),
      ),
    });
    this.#connections = connections;
  }

  override connect(options: ConnectOptions): Promise<Dispatcher.ConnectData> {
    return super.connect(options).then(
      (data) => {
        // undici lets go of the socket here, and removes its listeners.
        this.#connections.add(data.socket);
        if (data.statusCode === 200) return data;
        data.socket.on('error', () => {}).destroy();
        throw new ProxyError(
          `the proxy responded to CONNECT with ${data.statusCode}`,
          isFinalRejection(data.statusCode) ? 'rejected' : undefined,
        );
      },
      (error: unknown) => {
        throw error instanceof ProxyError ? error : unusableProxy(error);
      },
    );
  }
}

/** `secure`: the error occurred on a TLS connection to the proxy. */
function unusableProxy(error: unknown, secure = false): ProxyError {
  const isTls = connectFault(error, secure) === 'tls' && !mayPass(error);
  return new ProxyError(`the proxy cannot be used: ${errorDetail(error)}`, isTls ? 'tls' : undefined);
}

/** A status such as 407, where the proxy wants a password. 408 and 429 ask for a retry instead. */
function isFinalRejection(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Sends on a separate connection without a proxy, for a request that chooses or restricts the address. */
async function sendAlone(
  exchange: Exchange,
  request: HttpRequest,
  target: Target,
  options: HttpOptions,
  socketOptions: SocketOptions,
): Promise<HttpResponse | HttpFault> {
  const address = await chooseAddress(target, options);
  if (address instanceof Error) exchange.failWith(address, target.isTls);
  const { checkServerIdentity } = await import('node:tls');
  if (address instanceof Error || exchange.isSettled) return exchange.outcome;
  const { host, port, lookup } = address;
  const connections = new Connections();
  const connect = connections.connector(
    buildConnector({
      ...socketOptions,
      ...(lookup ? { lookup } : {}),
      checkServerIdentity: (_, certificate) => checkServerIdentity(target.hostname, certificate),
    }),
  );
  const client = new Client(target.origin, {
    ...noTimeouts,
    connect: (peer, callback) => connect({ ...peer, hostname: host, port: String(port) }, callback),
  });
  dispatch(exchange, request, target, client);
  const outcome = await exchange.outcome;
  connections.destroy();
  await client.destroy();
  return outcome;
}

function dispatch(exchange: Exchange, request: HttpRequest, target: Target, dispatcher: Dispatcher): void {
  dispatcher.dispatch(
    {
      origin: target.origin,
      method: request.method,
      path: target.path,
      headers: wireHeaders(request),
      body: toDispatcherBody(request.body),
    },
    new ExchangeHandler(exchange, target.isTls),
  );
}

function toDispatcherBody(body: HttpRequest['body']): string | Uint8Array | Readable | null {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body ?? null;
  const pieces = async function* () {
    yield* await body.open();
  };
  return Readable.from(pieces(), { objectMode: false });
}

/** Passes undici's events to an exchange. A class: closures would be created again for each row of a bulk run. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange;
  readonly #secure: boolean;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(exchange: Exchange, secure: boolean) {
    this.#exchange = exchange;
    this.#secure = secure;
    exchange.onFault(() => this.#controller?.abort(new Error('the exchange is over')));
  }

  /** undici calls this just before it writes the first byte. An abort here still prevents that. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#exchange.isSettled) controller.abort(new Error('the exchange is over'));
    else this.#exchange.sent = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) this.#exchange.onInformational();
    else this.#exchange.onHead(status, joinHeaders(headers));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#exchange.onData(chunk);
  }

  onResponseEnd(): void {
    this.#exchange.onEnd();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    // undici's code for a method, path or header that HTTP does not allow.
    if (!this.#exchange.sent && 'code' in error && error.code === 'UND_ERR_INVALID_ARG') {
      this.#exchange.fail('malformed', error.message);
    } else this.#exchange.failWith(error, this.#secure);
  }
}

/** Joins repeated headers, which undici returns as an array. Its names are in lower case. */
function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  if (areJoined(headers)) return headers;
  const entries = Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]);
  return Object.fromEntries(entries);
}

function areJoined(headers: IncomingHttpHeaders): headers is Record<string, string> {
  for (const name in headers) if (typeof headers[name] !== 'string') return false;
  return true;
}
