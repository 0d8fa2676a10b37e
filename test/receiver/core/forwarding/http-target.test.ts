// A URL as a target, over real HTTP: what the program behind it gets, byte for byte, and what each of its responses means.

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createRawServer, type Server } from 'node:net';
import { after, test } from 'node:test';
import { createHttpTarget, type HttpTargetOptions } from '#receiver/core/forwarding/http-target.ts';
import type { AttemptResult } from '#receiver/core/forwarding/target.ts';
import { createTestClock } from '#test/support/clock.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import { createClock } from '#world/clock.ts';
import { createHttp } from '#world/http.ts';
import type { Http } from '#world/world.ts';
import { sampleDelivery } from '../intake/samples.ts';

const clock = createClock();
const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close();
});

const delivery = sampleDelivery({
  sequence: 1042,
  headers: [
    ['Host', 'hooks.example.com'],
    ['Content-Length', '9'],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['X-Hook-Signature', 'abcd'],
    ['Idempotency-Key', 'one'],
    ['Accept-Encoding', 'gzip'],
  ],
  // No UTF-8, and a zero byte.
  body: Uint8Array.of(0x5b, 0x7b, 0x00, 0xff, 0xfe, 0x7d, 0x5d, 0x0d, 0x0a),
  idempotencyKey: 'one',
});

interface Got {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** The URL of a server, and what it got. */
async function serve(respond: RequestListener = (_, response) => response.end('ok')) {
  const got: Got[] = [];
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    got.push({ request, body: Buffer.concat(chunks) });
    respond(request, response);
  };
  const server = createServer(listener);
  servers.push(server);
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}/hook`, port, got };
}

const targetOf = (url: string, options: Partial<HttpTargetOptions> = {}, http: Http = createHttp({})) =>
  createHttpTarget({ http, clock }, { url, headers: {}, timeoutMs: 60_000, connections: 10, ...options });

async function send(
  url: string,
  options?: Partial<HttpTargetOptions>,
  sent = delivery,
): Promise<AttemptResult> {
  const result = await targetOf(url, options).send(sent, 3, new AbortController().signal);
  assert.ok(Number.isInteger(result.milliseconds) && result.milliseconds >= 0);
  return { ...result, milliseconds: 0 };
}

test('the program gets the bytes and headers of the service, and two more headers', async () => {
  const { url, port, got } = await serve();
  assert.deepEqual(await send(`${url}?key=1`), {
    verdict: 'forwarded',
    outcome: '200',
    milliseconds: 0,
    detail: 'ok',
  });
  const [{ request, body } = assert.fail()] = got;
  assert.deepEqual([request.method, request.url, body], ['POST', '/hook?key=1', Buffer.from(delivery.body)]);
  const { connection, ...headers } = request.headers;
  assert.equal(connection, 'keep-alive');
  assert.deepEqual(headers, {
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json; charset=utf-8',
    'x-hook-signature': 'abcd',
    'idempotency-key': 'one',
    'x-wm-delivery': '1042',
    'x-wm-attempt': '3',
    // The receiver reads the response, not the service.
    'accept-encoding': 'identity',
    'content-length': '9',
  });
});

test("a user's header replaces the delivery's, except the delivery number", async () => {
  const { url, got } = await serve();
  const headers = { Authorization: 'Bearer t', 'content-TYPE': 'text/plain', 'X-Wm-Delivery': '7' };
  await send(url, { headers });
  const [{ request } = assert.fail()] = got;
  assert.deepEqual(
    ['authorization', 'content-type', 'x-wm-delivery'].map((name) => request.headers[name]),
    ['Bearer t', 'text/plain', '1042'],
  );
});

test('a different host changes the Host header, not the connection', async () => {
  const { url, got } = await serve();
  await send(`${url}?a=1`, { host: 'app.example.com:8080' });
  const [{ request } = assert.fail()] = got;
  assert.deepEqual([request.headers.host, request.url], ['app.example.com:8080', '/hook?a=1']);
});

test('a trusted certificate is accepted; any other makes the target unavailable', async () => {
  const server = createSecureServer({ key, cert: certificate }, (_, response) => response.end());
  servers.push(server);
  const port = await listening(server);
  const url = `https://127.0.0.1:${port}/`;
  const { verdict, outcome } = await send(url);
  assert.deepEqual([verdict, outcome], ['unavailable', 'tls']);
  const http = await createHttp({}).withCertificates?.(certificate);
  const named: Partial<HttpTargetOptions> = { host: 'service.test' };
  for (const [at, options] of [[url, {}] as const, [`https://localhost:${port}/`, named] as const]) {
    const result = await targetOf(at, options, http).send(delivery, 1, new AbortController().signal);
    assert.deepEqual([result.verdict, result.outcome], ['forwarded', '200']);
  }
});

test('any 2xx counts as forwarded, any other status is retried', async () => {
  const statuses = [200, 201, 202, 204, 299, 304, 400, 401, 404, 408, 410, 413, 429, 500, 503];
  const { url } = await serve((request, response) => {
    response.statusCode = Number(request.headers['status']);
    response.end();
  });
  const verdicts = await Promise.all(
    statuses.map(async (status) => {
      const { verdict, outcome } = await send(url, { headers: { status: String(status) } });
      assert.equal(outcome, String(status));
      return verdict;
    }),
  );
  const expected = statuses.map((status) => (status < 300 ? 'forwarded' : 'retry'));
  assert.deepEqual(verdicts, expected);
});

test('does not follow a redirect, and says so', async () => {
  const { url, got } = await serve((_, response) => response.writeHead(307, { location: '/new' }).end());
  assert.deepEqual(await send(url), {
    verdict: 'retry',
    outcome: '307',
    milliseconds: 0,
    detail: 'redirects to /new; redirects are not followed',
  });
  assert.equal(got.length, 1);
});

test('a target may ask for a delay', async () => {
  const { url } = await serve((_, response) => response.writeHead(503, { 'retry-after': '7' }).end('busy'));
  assert.deepEqual(await send(url), {
    verdict: 'retry',
    outcome: '503',
    milliseconds: 0,
    detail: 'busy',
    retryAfterMs: 7000,
  });
});

test('a delay that the target gives as a date counts from the clock of the target', async () => {
  const now = clock.now();
  const dateIn = (ms: number) => new Date(now + ms).toUTCString();
  for (const [headers, expected] of [
    [{ date: dateIn(-60_000), 'retry-after': dateIn(-53_000) }, 7000],
    [{ date: dateIn(60_000), 'retry-after': dateIn(67_000) }, 7000],
    [{ date: dateIn(60_000), 'retry-after': dateIn(30_000) }, undefined],
    [{ date: dateIn(-2 * 86_400_000), 'retry-after': dateIn(7000) }, undefined],
    [{ 'retry-after': dateIn(7000) }, undefined],
  ] as const) {
    const { url } = await serve((_, response) => {
      response.sendDate = false;
      response.writeHead(503, headers).end();
    });
    assert.equal((await send(url)).retryAfterMs, expected, JSON.stringify(headers));
  }
});

test('only 1,000 characters of a response are read; its status counts', async () => {
  const { url } = await serve((_, response) => response.writeHead(200).end('ü'.repeat(2_000_000)));
  const { verdict, detail } = await send(url);
  assert.deepEqual([verdict, detail], ['forwarded', 'ü'.repeat(1000)]);
});

test('nothing listens: the target is unavailable', async () => {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  const { verdict, outcome, detail } = await send(`http://127.0.0.1:${port}/`);
  assert.deepEqual([verdict, outcome], ['unavailable', 'connection-refused']);
  assert.match(detail ?? '', /ECONNREFUSED/);
});

test('a connection that breaks after the request: the delivery is retried, because it may have arrived', async () => {
  const server = createRawServer((socket) => socket.once('data', () => socket.destroy()));
  servers.push(server);
  const { verdict, outcome } = await send(`http://127.0.0.1:${await listening(server)}/`);
  assert.deepEqual([verdict, outcome], ['retry', 'reset']);
});

test('a hanging attempt ends at the time limit', async () => {
  const time = createTestClock();
  // The limit is over once the request has arrived: before that, the target would count as unavailable.
  const server = createRawServer((socket) =>
    socket.on('error', () => {}).once('data', () => time.advance(60_000)),
  );
  servers.push(server);
  const target = targetOf(`http://127.0.0.1:${await listening(server)}/`, {}, createHttp({}, time));
  const { verdict, outcome } = await target.send(delivery, 1, new AbortController().signal);
  assert.deepEqual([verdict, outcome], ['retry', 'timeout']);
});

test('stop ends the attempt', async () => {
  const stop = new AbortController();
  const { url } = await serve(() => stop.abort());
  const { verdict, outcome } = await targetOf(url).send(delivery, 1, stop.signal);
  assert.deepEqual([verdict, outcome], ['retry', 'aborted']);
});

test('headers that cannot be sent fail their own delivery, and do not make the target unavailable', async () => {
  const { url } = await serve();
  const { verdict, outcome } = await send(url, {}, { ...delivery, headers: [['X-Odd', 'a\u0001b']] });
  assert.deepEqual([verdict, outcome], ['retry', 'malformed']);
});

test('the name of a target contains neither the query nor the other host', () => {
  assert.equal(targetOf('HTTP://App.Example.com:80/a%20b?token=secret').name, 'http://app.example.com/a%20b');
  assert.equal(targetOf('https://[::1]:8443', { host: 'x' }).name, 'https://[::1]:8443/');
});
