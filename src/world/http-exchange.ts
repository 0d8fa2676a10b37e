// One exchange of a request for an answer, whichever library carries it: what goes onto the wire, the limits on time
// and size, and what each error means. Leaves connections to http-node.ts and http-undici.ts.

import { ResponseBody } from './http-body.ts';
import type { Clock, HttpFault, HttpOptions, HttpRequest, HttpResponse, TimeLimit } from './world.ts';

export interface Target {
  /** Scheme and host; the same text for all addresses of one origin. */
  readonly origin: string;
  readonly isTls: boolean;
  /** As the Host header has it: brackets around IPv6, and the port unless it is the scheme's own. */
  readonly host: string;
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Path and query, byte for byte as they were given: `URL` would normalise them. */
  readonly path: string;
}

/** The target of an address of http or https. */
export function parseTarget(address: string): Target | undefined {
  return createTargetParser()(address);
}

/** A {@link parseTarget} for many addresses of one origin, which is taken apart only once. */
export function createTargetParser(): typeof parseTarget {
  let text = '';
  let site: Omit<Target, 'path'> | undefined;
  return (address) => {
    // The same origin as last time, most often: then its end is known.
    const isSame = site !== undefined && address.startsWith(text) && isOriginEnd(address, text.length);
    const end = isSame ? text.length : findOriginEnd(address);
    if (!isSame) {
      text = address.slice(0, end);
      site = parseOrigin(text);
    }
    if (!site) return undefined;
    // Path and query make no URL wrong, and may be long.
    const fragment = address.indexOf('#', end);
    const rest = fragment === -1 ? address.slice(end) : address.slice(end, fragment);
    const path = rest.startsWith('/') ? rest : `/${rest}`;
    // Named one by one: spreading them costs a bulk a twenty-fifth of its time.
    const { origin, isTls, host, hostname, port } = site;
    return { origin, isTls, host, hostname, port, path };
  };
}

/** Where the path begins, or the query of an address without one. */
function findOriginEnd(address: string): number {
  const start = address.indexOf('//') + 2;
  for (let at = start; at < address.length; at++) if (isOriginEnd(address, at)) return at;
  return address.length;
}

function isOriginEnd(address: string, at: number): boolean {
  return at === address.length || '/?#'.includes(address.charAt(at));
}

function parseOrigin(text: string): Omit<Target, 'path'> | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const secure = url.protocol === 'https:';
  return {
    origin: `${url.protocol}//${url.host}`,
    isTls: secure,
    host: url.host,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
  };
}

// These say how the message is framed and to whom it goes, which is this module's business alone.
const controlledHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Names and values in turn, all but the host. The names of a request differ by more than case. */
export function wireHeaders(request: HttpRequest): string[] {
  const headers: string[] = [];
  let isEncodingSaid = false;
  for (const name in request.headers) {
    const lower = name.toLowerCase();
    const value = request.headers[name];
    if (value === undefined || controlledHeaders.has(lower)) continue;
    headers.push(lower, value);
    isEncodingSaid ||= lower === 'accept-encoding';
  }
  // A compressed answer could be far longer than the bytes that maxBytes counts.
  if (!isEncodingSaid) headers.push('accept-encoding', 'identity');
  if (request.body !== undefined) headers.push('content-length', String(Buffer.byteLength(request.body)));
  return headers;
}

const maxInformational = 16;

/** What arrived in time may be more than one turn reads, but not without end; and a turn may find the system busy. */
const lateTurns = { most: 64, idle: 3 };

export type ExchangeClock = Pick<Clock, 'limit' | 'nextTurn'>;

const nothing = () => {};

/** Collects one answer, or finds the one fault; whatever comes second is ignored. */
export class Exchange {
  readonly outcome: Promise<HttpResponse | HttpFault>;
  /** To be set as soon as a byte of the request may have left. */
  sent = false;
  readonly #method: string;
  readonly #options: HttpOptions;
  readonly #clock: ExchangeClock;
  readonly #limit: TimeLimit;
  readonly #abort: (() => void) | undefined;
  #resolve: (result: HttpResponse | HttpFault) => void = nothing;
  #settled = false;
  #tearDown: () => void = nothing;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  #body = new ResponseBody();
  #informed = 0;

  constructor(method: string, options: HttpOptions, clock: ExchangeClock) {
    this.#method = method;
    this.#options = options;
    this.#clock = clock;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#limit = clock.limit(options.timeoutMs, () => void this.#expire());
    if (!options.signal) return;
    this.#abort = () => this.fail('aborted', 'the caller gave up');
    if (options.signal.aborted) this.#abort();
    else options.signal.addEventListener('abort', this.#abort, { once: true });
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** What ends the connection once a fault is known. */
  onFault(tearDown: () => void): void {
    this.#tearDown = tearDown;
  }

  /** One of the 1xx: harmless, unless they never stop. */
  onInformational(): void {
    this.#informed += 1;
    if (this.#informed > maxInformational)
      this.fail('malformed', `more than ${maxInformational} answers of 1xx`);
  }

  /** The status line and the headers: names in lower case, values of one name joined with a comma. */
  onHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    this.#headers = headers;
    const bodyless = this.#method === 'HEAD' || status === 204 || status === 304;
    if (bodyless) return;
    const length = Number(headers['content-length'] ?? 0);
    if (length > this.#options.maxBytes) this.#failTooLarge();
    else if (length > 0) this.#body = new ResponseBody(length);
  }

  onData(chunk: Uint8Array): void {
    if (this.#settled) return;
    if (this.#body.length + chunk.byteLength > this.#options.maxBytes) this.#failTooLarge();
    else this.#body.add(chunk);
  }

  onEnd(): void {
    this.#settle({ status: this.#status, headers: this.#headers, body: this.#body.take() });
  }

  fail(fault: HttpFault['fault'], detail: string): void {
    if (this.#settled) return;
    this.#settle({ fault, sent: this.sent, detail });
    this.#tearDown();
  }

  /** An error that the library reports: before anything was sent it is about connecting, later about the answer. */
  failWith(error: unknown, secure: boolean): void {
    const fault = this.sent ? responseFault(error, this.#status === 0) : connectFault(error, secure);
    this.fail(fault, detailOf(error));
  }

  /** As long as each turn still reads some of what has come, it is not the service that is late. */
  async #expire(): Promise<void> {
    for (let turn = 0, idle = 0; turn < lateTurns.most && idle < lateTurns.idle && !this.#settled; turn++) {
      const before = this.#body.length;
      await this.#clock.nextTurn();
      idle = this.#body.length === before ? idle + 1 : 0;
    }
    this.fail('timeout', `no whole answer within ${this.#options.timeoutMs} ms`);
  }

  #failTooLarge(): void {
    this.fail('too-large', `it is larger than ${sizeOf(this.#options.maxBytes)}`);
  }

  #settle(result: HttpResponse | HttpFault): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#limit.cancel();
    if (this.#abort) this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#resolve(result);
  }
}

/** A limit, for a person. */
function sizeOf(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes} kB` : `${kilobytes / 1024} MB`;
}

/** Stands in for an error of the system where this program itself refuses to connect. */
export class AddressNotAllowedError extends Error {
  readonly code = 'WM_ADDRESS';
  constructor(addresses: readonly string[]) {
    super(`not allowed to connect to ${addresses.join(', ')}`);
  }
}

/** The proxy could not be reached, or would not connect us. */
export class ProxyError extends Error {
  readonly code = 'WM_PROXY';
}

const unreachableCodes =
  /^(EAI_|ENOTFOUND|ENODATA|EHOST|ENET|EADDR|EACCES|EPERM|EMFILE|ENFILE|ENOBUFS|EINVAL)/;

function connectFault(error: unknown, secure: boolean): HttpFault['fault'] {
  const code = codeOf(error);
  if (code === 'WM_ADDRESS') return 'address-not-allowed';
  if (code === 'WM_PROXY') return 'proxy';
  if (code === 'ECONNREFUSED') return 'connection-refused';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (unreachableCodes.test(code)) return 'unreachable';
  return secure ? 'tls' : 'unreachable';
}

function responseFault(error: unknown, headless: boolean): HttpFault['fault'] {
  const code = codeOf(error);
  const detail = detailOf(error);
  // The connection ended in the middle of a chunked body.
  if (code === 'HPE_INVALID_EOF_STATE' || /Invalid EOF state/.test(detail)) return 'reset';
  if (code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError'))
    return 'malformed';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'malformed';
  // Within the headers, undici means by this that there were two lengths.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && headless) return 'malformed';
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(detail)) return 'malformed';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'tls';
  if (code === 'ETIMEDOUT') return 'timeout';
  return 'reset';
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}

function detailOf(error: unknown): string {
  // Node tries several addresses of one name, and then puts all its news into an error without a message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(detailOf).join('; ');
  return error instanceof Error ? error.message.replace(nodeAdvice, '') : String(error);
}

/** How to run Node: newer ones say it, and it is nothing to someone who runs `wm`. */
const nodeAdvice = /; if the root CA is installed locally, try running Node\.js with --use-system-ca$/;
