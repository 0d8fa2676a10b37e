// One HTTP exchange over either library: the headers of the request, and the limits on time and size of the response. http-node.ts
// and http-undici.ts manage the connections.

import { setMaxListeners } from 'node:events';
import { GrowingBytes } from '#growing-bytes.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { connectFault, describeError, mayPass, responseFault } from './http-fault.ts';
import type { Clock, HttpFault, HttpOptions, HttpRequest, HttpResponse, TimeLimit } from './world.ts';

// Only this module sets these headers: they frame the message and name its receiver.
const controlledHeaders = new Set(
  'host connection content-length expect keep-alive proxy-connection trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** Returns a flat list of names and values, without Host. No two names in a request may differ only in case. */
export function wireHeaders(request: HttpRequest): string[] {
  const headers: string[] = [];
  let hasEncoding = false;
  for (const name in request.headers) {
    const lower = name.toLowerCase();
    const value = request.headers[name];
    if (value === undefined || controlledHeaders.has(lower)) continue;
    headers.push(lower, value);
    hasEncoding ||= lower === 'accept-encoding';
  }
  // A compressed response could grow far beyond maxBytes.
  if (!hasEncoding) headers.push('accept-encoding', 'identity');
  const { body } = request;
  if (body !== undefined) {
    const length =
      typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : body.size;
    headers.push('content-length', String(length));
  }
  return headers;
}

const maxInformational = 16;
/** Reading data that arrived in time may take several turns, and a busy system may skip one. `max` ends the wait. */
const lateTurns = { max: 64, idle: 3 };

export type ExchangeClock = Pick<Clock, 'limit' | 'nextTurn'>;

const nothing = () => {};

/** Collects one response or the first fault, and ignores everything after that. */
export class Exchange {
  readonly outcome: Promise<HttpResponse | HttpFault>;
  /** Set this as soon as a byte of the request may have left this machine. */
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
  #body = new GrowingBytes();
  #informationalCount = 0;

  constructor(method: string, options: HttpOptions, clock: ExchangeClock) {
    this.#method = method;
    this.#options = options;
    this.#clock = clock;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#limit = clock.limit(options.timeoutMs, () => void this.#expire());
    if (!options.signal) return;
    this.#abort = () => this.fail('aborted', 'the caller aborted it');
    // Many requests may have one signal, and Node warns about the eleventh listener.
    setMaxListeners(0, options.signal);
    if (options.signal.aborted) this.#abort();
    else options.signal.addEventListener('abort', this.#abort, { once: true });
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** `tearDown` closes the connection after a fault, or when the rest of the body is not needed. */
  onFault(tearDown: () => void): void {
    this.#tearDown = tearDown;
  }

  /** Counts 1xx responses: harmless, unless they never end. */
  onInformational(): void {
    this.#informationalCount += 1;
    if (this.#informationalCount > maxInformational)
      this.fail('malformed', `more than ${maxInformational} responses of 1xx`);
  }

  /** `headers`: names in lower case, values of one name joined with a comma. */
  onHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    this.#headers = headers;
    const bodyless = this.#method === 'HEAD' || status === 204 || status === 304;
    if (bodyless) return;
    const length = Number(headers['content-length'] ?? 0);
    if (length > this.#options.maxBytes && !this.#options.cutsLongBody) this.#failTooLarge();
    else if (length > 0) this.#body = new GrowingBytes(Math.min(length, this.#options.maxBytes));
  }

  onData(chunk: Uint8Array): void {
    if (this.#settled) return;
    const room = this.#options.maxBytes - this.#body.length;
    if (chunk.byteLength <= room) this.#body.add(chunk);
    else if (this.#options.cutsLongBody) {
      this.#body.add(chunk.subarray(0, room));
      this.onEnd();
      this.#tearDown();
    } else this.#failTooLarge();
  }

  onEnd(): void {
    this.#settle(this.#response());
  }

  fail(fault: HttpFault['fault'], detail: string, more: Pick<HttpFault, 'mayPass' | 'tlsCode'> = {}): void {
    if (this.#settled) return;
    // A response that is too large is incomplete, and copying it would be a waste.
    const arrived = this.#status === 0 || fault === 'too-large' ? {} : { arrived: this.#response() };
    this.#settle({ fault, sent: this.sent, detail, ...more, ...arrived });
    this.#tearDown();
  }

  /** Maps an error of the library: to a connection fault if nothing was sent yet, otherwise to a response fault. */
  failWith(error: unknown, secure = false): void {
    const fault = this.sent ? responseFault(error, this.#status === 0) : connectFault(error, secure);
    const { detail, tlsCode } = describeError(error, fault);
    this.fail(fault, detail, omitUndefined({ mayPass: this.sent ? undefined : mayPass(error), tlsCode }));
  }

  /** The service is not late while each turn still reads data that has arrived. */
  async #expire(): Promise<void> {
    for (let turn = 0, idle = 0; turn < lateTurns.max && idle < lateTurns.idle && !this.#settled; turn++) {
      const before = this.#body.length;
      await this.#clock.nextTurn();
      idle = this.#body.length === before ? idle + 1 : 0;
    }
    this.fail('timeout', `no complete response within ${this.#options.timeoutMs} ms`);
  }

  #response(): HttpResponse {
    return { status: this.#status, headers: this.#headers, body: this.#body.take() };
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

function sizeOf(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes} kB` : `${kilobytes / 1024} MB`;
}
