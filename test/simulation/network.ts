// The network between processes: Node's own HTTP over connections in memory. A request takes a while to arrive, and so does its
// response; either may be lost. Whatever a process sent before it died still arrives.

import {
  createServer,
  type Server as HttpServer,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Duplex } from 'node:stream';
import type { Http, HttpFault, HttpOptions, HttpRequest, HttpResponse, Server } from '#world/world.ts';
import { clockOf, type Simulation } from './events.ts';
import type { Blow, Fates } from './fates.ts';
import type { SimulatedProcess } from './process.ts';

/** A request as its server saw it, and its response if there was one. */
export interface Exchange {
  /** The process that sent it; `world` for what is outside the machine. */
  readonly from: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string;
  status?: number;
  /** The body of the response. */
  response?: string;
  /** Whether the response came before the sender had given up. */
  isReceived?: boolean;
  /** When it responded. */
  endedAt?: number;
}

/** `undefined`: something outside the machine, which nothing harms. */
type Party = SimulatedProcess | undefined;

interface Listener {
  readonly owner: Party;
  readonly server: HttpServer;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly value?: object;
  readonly delayMs: number;
}

export class Network {
  readonly simulation: Simulation;
  readonly fates: Fates;
  readonly listeners = new Map<number, Listener>();
  /** In the order of their arrival. */
  readonly exchanges: Exchange[] = [];
  /** Set by a scenario: half of the requests that a blow strikes take up to 40 s, and arrive even after the sender has given up. */
  isSlow = false;
  #lastPort = 40_000;

  constructor(simulation: Simulation, fates: Fates) {
    this.simulation = simulation;
    this.fates = fates;
  }

  httpFor(sender: Party): Http {
    const http: Http = {
      send: (request, options) => new Transfer(this, sender, request, options).result,
      withConnections: async () => http,
    };
    return http;
  }

  serverFor(owner: Party): Server {
    return {
      listen: async ({ host, port: wanted }, handler) => {
        const port = wanted || ++this.#lastPort;
        if (this.listeners.has(port)) return { fault: 'in-use', detail: 'simulated' };
        let isRefusing = false;
        let inProgress = 0;
        const waiting: (() => void)[] = [];
        const listener: Listener = { owner, server: createServer() };
        listener.server.on('request', (request, response) => {
          inProgress++;
          response.once('close', () => {
            if (--inProgress === 0) for (const resolve of waiting.splice(0)) resolve();
          });
          if (isRefusing) response.writeHead(503).end();
          else handler(request, response);
        });
        this.listeners.set(port, listener);
        const stopAccepting = () => {
          if (this.listeners.get(port) === listener) this.listeners.delete(port);
        };
        owner?.onEnd.add(stopAccepting);
        return {
          host,
          port,
          stopAccepting,
          refuse: () => {
            isRefusing = true;
          },
          idle: async () => {
            if (inProgress > 0) await new Promise<void>((resolve) => waiting.push(resolve));
          },
          close: async () => stopAccepting(),
        };
      },
    };
  }

  /** A server outside the machine. Returns a function that closes it. */
  async serve(port: number, respond: (request: IncomingMessage, body: string) => Reply): Promise<() => void> {
    const server = createServer(async (request, response) => {
      const body = await readAll(request);
      try {
        const { status, headers, value, delayMs } = respond(request, body.toString());
        const end = () =>
          response
            .writeHead(status, { 'Content-Type': 'application/json', ...headers })
            .end(JSON.stringify(value));
        this.simulation.after(delayMs, end);
      } catch (error) {
        this.simulation.fail(error);
      }
    });
    this.listeners.set(port, { owner: undefined, server });
    return () => void this.listeners.delete(port);
  }
}

/** How long a request takes at most if no blow strikes it; so does its response. */
const usualMs = 40;

/** One request, from its first byte to its response or its fault. */
class Transfer {
  readonly result: Promise<HttpResponse | HttpFault>;
  readonly #network: Network;
  readonly #sender: Party;
  readonly #request: HttpRequest;
  readonly #options: HttpOptions;
  readonly #url: URL;
  readonly #blow: Blow | undefined;
  #resolve: (result: HttpResponse | HttpFault) => void = () => {};
  #cancelTimeout = () => {};
  /** Breaks the connection, so that the server notices that nobody waits any more. */
  #hangUp = () => {};
  #hasArrived = false;
  /** It is late, but nothing can take it back. */
  #isOnItsWay = false;
  #isOver = false;

  constructor(network: Network, sender: Party, request: HttpRequest, options: HttpOptions) {
    this.#network = network;
    this.#sender = sender;
    this.#request = request;
    this.#options = options;
    this.#url = new URL(request.url);
    this.result = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const step = {
      name: `${request.method} ${this.#url.pathname}`,
      kind: sender ? 'request' : 'outside',
    } as const;
    this.#blow = sender ? sender.strike(step) : network.fates.next(step);
    if (sender?.isAlive !== false) void this.#start();
  }

  readonly #abort = () => this.#later(0, () => this.#fail('aborted'));

  async #start(): Promise<void> {
    const { signal, timeoutMs } = this.#options;
    const limit = clockOf(this.#network.simulation, this.#sender).limit(timeoutMs, () =>
      this.#fail('timeout'),
    );
    this.#cancelTimeout = () => limit.cancel();
    if (signal?.aborted) this.#abort();
    signal?.addEventListener('abort', this.#abort, { once: true });
    const body = await bytesOf(this.#request.body);
    const delay = this.#delay();
    this.#isOnItsWay = this.#network.isSlow && delay > usualMs && this.#blow !== 'refused';
    this.#network.simulation.after(delay, () => void this.#arrive(body));
    this.#sender?.suffer(this.#blow);
  }

  async #arrive(body: Buffer): Promise<void> {
    if (this.#isOver && !this.#isOnItsWay) return;
    const { listeners, simulation, exchanges } = this.#network;
    const port = this.#options.connectTo?.port ?? Number(this.#url.port);
    const listener = listeners.get(port);
    if (!listener || this.#blow === 'refused') return this.#fail('connection-refused');
    this.#hasArrived = true;
    if (this.#blow === 'request lost') return this.#breakOff();
    const { method } = this.#request;
    const from = this.#sender?.name ?? 'world';
    const exchange: Exchange = {
      from,
      method,
      path: this.#url.pathname + this.#url.search,
      body: body.toString(),
    };
    exchanges.push(exchange);
    simulation.log('network', `${method} ${exchange.path} arrives from ${from}`);
    const [near, far] = connect(this.#url.hostname, port);
    const hangUp = () => near.destroy();
    this.#hangUp = hangUp;
    listener.owner?.onEnd.add(hangUp);
    listener.server.emit('connection', far);
    try {
      const response = await exchangeOver(near, this.#request, body);
      if (listener.owner?.isAlive === false) return this.#breakOff();
      exchange.status = response.status;
      exchange.endedAt = simulation.now;
      exchange.response = Buffer.from(response.body).toString();
      if (this.#blow === 'response lost') return this.#breakOff();
      this.#later(this.#delay(), () => {
        exchange.isReceived = !this.#isOver;
        this.#end(this.#received(response));
      });
    } catch {
      this.#breakOff();
    } finally {
      listener.owner?.onEnd.delete(hangUp);
    }
  }

  /** As the sender gets it: its Date is that of the simulation. */
  #received(response: HttpResponse): HttpResponse {
    const { maxBytes, cutsLongBody } = this.#options;
    const date = new Date(this.#network.simulation.timeOfDay()).toUTCString();
    const body = cutsLongBody ? response.body.subarray(0, maxBytes) : response.body;
    return { ...response, headers: { ...response.headers, date }, body };
  }

  /** The sender notices at once that the connection broke, or waits for its time limit. */
  #breakOff(): void {
    if (this.#random.chance(0.5)) this.#later(this.#delay(), () => this.#fail('reset'));
  }

  #fail(fault: HttpFault['fault']): void {
    this.#end({ fault, sent: this.#hasArrived || this.#isOnItsWay, detail: 'simulated' });
    this.#hangUp();
  }

  #end(result: HttpResponse | HttpFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimeout();
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#sender?.log(`${this.#url.pathname} -> ${'fault' in result ? result.fault : result.status}`);
    this.#resolve(result);
  }

  #later(delayMs: number, run: () => void): () => void {
    return this.#network.simulation.after(delayMs, run, this.#sender);
  }

  get #random() {
    return this.#sender?.random ?? this.#network.simulation.random;
  }

  #delay(): number {
    const random = this.#random;
    return (
      random.next() * usualMs +
      (this.#blow && random.chance(this.#network.isSlow ? 0.5 : 0.1) ? random.next() * 40_000 : 0)
    );
  }
}

async function bytesOf(body: HttpRequest['body']): Promise<Buffer> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array)
    return Buffer.from(body ?? '');
  return readAll(await body.open());
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Sends the request over the connection, and reads the whole response. */
async function exchangeOver(
  connection: Duplex,
  { method, url, headers }: HttpRequest,
  body: Buffer,
): Promise<HttpResponse> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body.length > 0 || method !== 'GET' ? { 'Content-Length': body.length } : {};
    const options = { method, headers: { ...headers, ...length }, createConnection: () => connection };
    httpRequest(url, options).on('response', resolve).on('error', reject).end(body);
  });
  const bytes = await readAll(response);
  const joined = Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return { status: response.statusCode ?? 0, headers: Object.fromEntries(joined), body: bytes };
}

/** The two ends of a connection: what one writes, the other reads. */
function connect(host: string, port: number): [Duplex, Duplex] {
  const ends: [Duplex, Duplex] = [endOf(() => ends[1]), endOf(() => ends[0])];
  Object.assign(ends[1], { remoteAddress: '127.0.0.1', localAddress: host, localPort: port });
  return ends;
}

function endOf(other: () => Duplex): Duplex {
  return new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      other().push(chunk);
      done();
    },
    final(done) {
      other().push(null);
      done();
    },
    destroy(error, done) {
      other().destroy();
      done(error);
    },
  });
}
