// Receivers for the tests of their verification: one that does everything right and of which a test breaks a part, and a proxy
// before it.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { TestContext } from 'node:test';
import { listening } from '#test/support/service/listening.ts';

export interface Arrived {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly url: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Respond = (arrived: Arrived) => Answer | Promise<Answer>;

export interface TestReceiver {
  readonly port: number;
  readonly url: string;
  readonly arrived: Arrived[];
  /** Replaced by a test that breaks something. */
  respond: Respond;
}

export const secret = 'the secret of both';

export const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');

/** As it should be: checks the signature over the bytes, proves that it has the secret, ignores what it does not know. */
export function respondRightly(key: string | undefined = secret): Respond {
  return ({ headers, body }) => {
    if (key !== undefined) {
      const signature = Buffer.from(String(headers['x-hook-signature'] ?? ''));
      const expected = Buffer.from(hmac(key, body));
      if (signature.length === 0) return { status: 401, body: 'missing signature' };
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
        return { status: 401, body: 'invalid signature' };
      const challenge = String(headers['x-hook-secret'] ?? '');
      if (isHandshake(body)) {
        if (!/^[A-Za-z0-9]{1,100}$/.test(challenge)) return { status: 400 };
        return { status: 200, headers: { 'X-Hook-Secret': hmac(key, challenge) } };
      }
    }
    return { status: 200 };
  };
}

export function isHandshake(body: string): boolean {
  return body.includes('"requestType"');
}

/** Rightly, but for handshakes. */
export function atHandshakes(respond: Respond, others: Respond = respondRightly()): Respond {
  return (arrived) => (isHandshake(arrived.body) ? respond(arrived) : others(arrived));
}

/** Rightly to handshakes alone. */
export function afterHandshakes(respond: Respond): Respond {
  return atHandshakes(respondRightly(), respond);
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** `tls`: serves https with this certificate. */
export async function startReceiver(
  test: TestContext,
  respond: Respond = respondRightly(),
  tls?: { readonly key: string; readonly cert: string },
): Promise<TestReceiver> {
  const answer = async (incoming: IncomingMessage): Promise<Answer> => {
    const body = (await readAll(incoming)).toString();
    const arrived = { headers: incoming.headers, body, url: incoming.url ?? '' };
    receiver.arrived.push(arrived);
    return receiver.respond(arrived);
  };
  const handle: Parameters<typeof createServer>[1] = (incoming, response) => {
    void answer(incoming).then(({ status, headers = {}, body = '' }) =>
      response.writeHead(status, headers).end(body),
    );
  };
  const server = tls ? createSecureServer(tls, handle) : createServer(handle);
  const port = await listening(server, test);
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`;
  const receiver: TestReceiver = { port, url, arrived: [], respond };
  return receiver;
}

export interface ProxyRules {
  /** Removed on the way to the receiver, and on the way back. */
  readonly removes?: readonly string[];
  readonly removesFromResponse?: readonly string[];
  readonly adds?: Readonly<Record<string, string>>;
  /** A larger body is not passed on. */
  readonly maxBytes?: number;
}

/** A reverse proxy before the receiver. */
export async function startProxy(
  test: TestContext,
  { port }: Pick<TestReceiver, 'port'>,
  { removes = [], removesFromResponse = [], adds = {}, maxBytes = Number.POSITIVE_INFINITY }: ProxyRules,
): Promise<string> {
  const without = (headers: IncomingHttpHeaders, names: readonly string[]) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
  const server = createServer((incoming, response) => {
    void readAll(incoming).then((body) => {
      if (body.length > maxBytes) {
        response.writeHead(413).end('<html>413 Request Entity Too Large</html>');
        return;
      }
      const onward = request(
        {
          port,
          host: '127.0.0.1',
          method: incoming.method,
          path: incoming.url,
          headers: without(incoming.headers, removes),
          agent: false,
        },
        (back) => {
          response.writeHead(back.statusCode ?? 502, {
            ...without(back.headers, removesFromResponse),
            ...adds,
          });
          back.pipe(response);
        },
      );
      onward.on('error', () => response.writeHead(502).end());
      onward.end(body);
    });
  });
  const proxyPort = await listening(server, test);
  return `http://127.0.0.1:${proxyPort}/hook`;
}
