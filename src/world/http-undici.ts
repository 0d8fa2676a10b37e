// HTTP with undici, which supports proxies (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) and is faster for many requests. It loads far more
// slowly than http-node.ts. Otherwise both behave alike and pass the same tests.

import type { IncomingHttpHeaders } from 'node:http';
import { Duplex, Readable } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { createClock } from './clock.ts';
import { Exchange, type ExchangeClock, wireHeaders } from './http-exchange.ts';
import { connectFault, describeError, errorDetail, mayPass, ProxyError } from './http-fault.ts';
import { createTargetParser, type Target } from './http-target.ts';
import { chosenProxy, unsupportedKind } from './proxy-choice.ts';
import { createTlsOptions, type TlsOptions } from './tls-certificates.ts';
import type { Environment, Http, HttpRequest } from './world.ts';

// The exchange enforces its own time limit.
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
// Without TCP keep-alive: undici sets it before it connects, which then fails where the system lacks it (wine 8).
const connectOptions = { timeout: 0, autoSelectFamilyAttemptTimeout: 1000, keepAlive: false };
type SocketOptions = typeof connectOptions & TlsOptions;

/** `connections`: at most this many to one host. Requests must not choose or restrict an address. */
export function createUndiciHttp(
  environment: Environment,
  clock: ExchangeClock = createClock(),
  connections = 64,
  trust?: SecureContext,
): Http {
  const socketOptions = { ...connectOptions, ...createTlsOptions(trust) };
  const agents = new Map<string, ReturnType<typeof createAgent>>();
  let active = 0;
  let isAbandoned = false;
  const targetOf = createTargetParser();

  const agentFor = (target: Target) => {
    const agent =
      agents.get(target.origin) ?? createAgent(chosenProxy(target, environment), connections, socketOptions);
    agents.set(target.origin, agent);
    return agent;
  };
  const destroyAgents = async () => {
    const old = [...agents.values()];
    agents.clear();
    await Promise.all(old.map((agent) => agent.destroy()));
  };

  return {
    send(request, options) {
      const exchange = new Exchange(request.method, options, clock);
      const target = targetOf(request.url);
      if (!target) exchange.fail('unreachable', 'not an http or https URL');
      if (!target || exchange.isSettled) return exchange.outcome;
      let agent: ReturnType<typeof createAgent>;
      try {
        agent = agentFor(target);
      } catch (error) {
        exchange.fail('proxy', errorDetail(error), { mayPass: false });
        return exchange.outcome;
      }
      active += 1;
      dispatch(exchange, request, target, agent.dispatcher);
      return exchange.outcome.then((outcome) => {
        active -= 1;
        isAbandoned ||= !exchange.sent;
        if (active > 0 || !isAbandoned) return outcome;
        isAbandoned = false;
        return destroyAgents().then(() => outcome);
      });
    },
  };
}

/** Throws if the proxy cannot be used. An empty text stands for none. */
function createAgent(proxy: string, maxConnections: number, socketOptions: SocketOptions) {
  const connections = new Connections();
  const shared = {
    ...noTimeouts,
    connect: connections.connector(buildConnector(socketOptions)),
    connections: maxConnections,
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 1000,
  };
  const createProxyAgent = () => {
    const kind = unsupportedKind(proxy);
    if (kind !== undefined) throw new Error(`${kind} proxies are not supported: use an http or https proxy`);
    const uri = proxy.includes('://') ? proxy : `http://${proxy}`;
    const clientFactory = (origin: URL) => new ProxyPool(origin, connections, socketOptions);
    try {
      return new ProxyAgent({ ...shared, uri, requestTls: socketOptions, clientFactory });
    } catch (error) {
      throw new Error(`the proxy's address is invalid: ${errorDetail(error)}`);
    }
  };
  const dispatcher = proxy === '' ? new Agent(shared) : createProxyAgent();
  return {
    dispatcher,
    async destroy() {
      connections.destroy();
      await dispatcher.destroy();
    },
  };
}

/** Destroys sockets. A destroyed undici client keeps connecting, which would keep the process alive. */
class Connections {
  readonly #open = new Set<Duplex>();

  add(socket: Duplex): void {
    this.#open.add(socket);
    // Node leaves a socket open after an alert of TLS 1.3, and undici would report only the end that follows.
    socket.once('error', (error) => socket.destroy(error));
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
      // Without the name that undici sets, which may be an address. TLS has none for an address.
      connect: connections.connector(({ servername: _, ...peer }, callback) =>
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
  const fault = connectFault(error, secure);
  const { detail, tlsCode } = describeError(error, fault);
  const reason = fault === 'tls' && !mayPass(error) ? 'tls' : undefined;
  return new ProxyError(`the proxy cannot be used: ${detail.replace('the server', 'it')}`, reason, tlsCode);
}

/** A status such as 407, where the proxy wants a password. 408 and 429 ask for a retry instead. */
function isFinalRejection(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
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
