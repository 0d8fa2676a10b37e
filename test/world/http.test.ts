// HTTP against real sockets: servers that answer, and raw ones that misbehave in every way that a fault is named for.
// All of it runs over both ways, Node's own client and undici. This file also runs itself once, as a process which trusts
// the test's certificate, and which nothing may keep alive.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createRawServer,
  type Server,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { certificate as cert, key } from '#test/support/service/certificate.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { createHttp } from '#world/http.ts';
import { createUndiciHttp } from '#world/http-undici.ts';
import type { Environment, Http, HttpFault, HttpOptions, HttpResponse } from '#world/world.ts';

const ways = { node: createHttp, undici: createUndiciHttp, many: createManyHttp };

function createManyHttp(environment: Environment): Http {
  const many = createHttp(environment).withConnections?.(64);
  assert.ok(many);
  return { send: async (request, options) => (await many).send(request, options) };
}

const closers: (() => void)[] = [];
/** Far longer than anything takes here, on a busy machine too. */
const limits = { timeoutMs: 60_000, maxBytes: 100_000 };

const tickMs = 20;
/** A connection that is kept for a second keeps a process alive for many more rounds, however slow the machine is. */
const mostTicks = 15;

interface Errand {
  readonly way: keyof typeof ways;
  readonly environment: Environment;
  readonly calls: readonly { readonly url: string; readonly options: HttpOptions }[];
}

type Result = Readonly<Record<string, unknown>>;

interface Report {
  /** By the names of the errands. */
  readonly results: Readonly<Record<string, readonly Result[]>>;
  /** Rounds of the event loop after the last result. */
  readonly lingered: number;
}

if (process.argv[2] === 'errands') {
  const errands: Readonly<Record<string, Errand>> = JSON.parse(process.argv[3] ?? '');
  const results = await Promise.all(
    Object.entries(errands).map(async ([name, { way, environment, calls }]) => {
      const http = ways[way](environment);
      const ended = await Promise.all(
        calls.map(({ url, options }) => http.send({ method: 'GET', url, headers: {} }, options)),
      );
      return [name, ended.map((result) => ({ ...result, body: undefined, text: textOf(result) }))] as const;
    }),
  );
  // Counted in rounds of the event loop, not in time: a process that is given no turn by the machine makes no round.
  let lingered = 0;
  setInterval(() => {
    lingered++;
  }, tickMs).unref();
  process.on('exit', () => {
    const report: Report = { results: Object.fromEntries(results), lingered };
    process.stdout.write(JSON.stringify(report));
  });
} else {
  runTests();
}

function runTests(): void {
  after(() => {
    for (const close of closers) close();
  });
  for (const name of ['node', 'undici', 'many'] as const) {
    const create = ways[name];
    answers(name, create({}));
    faults(name, create({}));
    connections(name, create);
    secure(name, create({}));
    // Requests that choose an address always go through Node's own client.
    if (name === 'undici') continue;
    addresses(name, create({}));
    secureAddresses(name, create({}));
  }
  proxies();
}

function answers(way: string, http: Http): void {
  test(`${way}: a response has its status, its headers in lower case, and its bytes`, async () => {
    const url = await serve((_, response) => {
      response.writeHead(
        418,
        [
          ['X-One', 'a'],
          ['x-one', 'b'],
          ['Set-Cookie', 'c=1'],
          ['Set-Cookie', 'd=2'],
        ].flat(),
      );
      response.end(Buffer.from([0, 255, 10]));
    });
    const response = answered(await http.send({ method: 'GET', url, headers: {} }, limits));
    assert.equal(response.status, 418);
    assert.equal(response.headers['x-one'], 'a, b');
    assert.equal(response.headers['set-cookie'], 'c=1, d=2');
    assert.deepEqual(response.body, new Uint8Array([0, 255, 10]));
  });

  test(`${way}: sends the request unchanged`, async () => {
    const raw = await serveRaw((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    const url = `${raw.url}/a/../b/./%7e//c?x=%2f&y=[z]|'#fragment`;
    const headers = { 'X-Mixed': 'Ä', Host: 'elsewhere.test', 'Content-Length': '99', Connection: 'close' };
    answered(await http.send({ method: 'PUT', url, headers, body: 'äö' }, limits));
    const [head = '', body] = raw.received().split('\r\n\r\n');
    const [line, ...fields] = head.split('\r\n');
    assert.equal(line, "PUT /a/../b/./%7e//c?x=%2f&y=[z]|' HTTP/1.1");
    const lines = fields.map((field) => field.toLowerCase()).sort();
    assert.deepEqual(
      lines.filter((field) => !field.startsWith('connection')),
      ['accept-encoding: identity', 'content-length: 4', `host: 127.0.0.1:${raw.port}`, 'x-mixed: ä'],
    );
    assert.equal(Buffer.from(body ?? '', 'latin1').toString(), 'äö');
  });

  test(`${way}: a URL without a path requests /`, async () => {
    const raw = await serveRaw((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    answered(await http.send({ method: 'GET', url: `${raw.url}?q=1`, headers: {} }, limits));
    assert.match(raw.received(), /^GET \/\?q=1 HTTP\/1\.1\r\n/);
  });

  test(`${way}: a POST without a body has Content-Length 0; keeps a requested compression`, async () => {
    const raw = await serveRaw((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    const headers = { 'Accept-Encoding': 'gzip' };
    answered(await http.send({ method: 'POST', url: raw.url, headers, body: new Uint8Array() }, limits));
    assert.match(raw.received(), /\r\ncontent-length: 0\r\n/i);
    assert.match(raw.received(), /\r\naccept-encoding: gzip\r\n/i);
  });

  test(`${way}: returns a redirect as a response`, async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked += 1;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const response = answered(await http.send({ method: 'GET', url, headers: {} }, limits));
    assert.deepEqual([response.status, response.headers['location'], asked], [302, '/elsewhere', 1]);
  });

  test(`${way}: a HEAD response can announce a body of any length`, async () => {
    const url = await serve((_, response) => response.writeHead(200, { 'content-length': 10 ** 9 }).end());
    assert.equal(answered(await http.send({ method: 'HEAD', url, headers: {} }, limits)).status, 200);
  });

  test(`${way}: early hints and a body that ends with the connection`, async () => {
    const raw = await serveRaw((socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\n__proto__: y\r\n\r\nwhole'),
    );
    const response = answered(await http.send({ method: 'GET', url: raw.url, headers: {} }, limits));
    assert.equal(textOf(response), 'whole');
    assert.deepEqual(Object.entries(response.headers), [['__proto__', 'y']]);
  });

  test(`${way}: accepts a body of exactly maxBytes`, async () => {
    const url = await serve((_, response) => response.end('x'.repeat(1000)));
    const response = await http.send({ method: 'GET', url, headers: {} }, { ...limits, maxBytes: 1000 });
    assert.equal(answered(response).body.length, 1000);
  });
}

function faults(way: string, http: Http): void {
  const get = (url: string, options: Partial<HttpOptions> = {}) =>
    http.send({ method: 'GET', url, headers: { authorization: 'canary' } }, { ...limits, ...options });

  test(`${way}: connection refused, nothing sent`, async () => {
    const port = await freePort();
    for (const host of ['127.0.0.1', 'localhost'])
      isFault(await get(`http://${host}:${port}/`), 'connection-refused', false);
  });

  test(`${way}: unreachable, nothing sent`, async () => {
    // Too long for the name system, so no server is asked.
    isFault(await get(`http://${'x'.repeat(64)}.invalid/`), 'unreachable', false);
    isFault(await get('ftp://127.0.0.1/'), 'unreachable', false);
    isFault(await get('http://'), 'unreachable', false);
  });

  test(`${way}: an invalid URL does not affect the next request`, async () => {
    const raw = await serveRaw((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    isFault(await get('http:/x'), 'unreachable', false);
    const response = await get(raw.url);
    assert.ok('status' in response && response.status === 204);
  });

  test(`${way}: rejects a malformed request, nothing sent`, async () => {
    const raw = await serveRaw(() => {});
    const bad = { method: 'GET', url: raw.url, headers: { 'x-a': 'canary\r\nx-b: c' } };
    isFault(await http.send(bad, limits), 'malformed', false);
    isFault(await get(`${raw.url}/a b`), 'malformed', false);
    isFault(await http.send({ ...bad, method: 'G T', headers: {} }, limits), 'malformed', false);
    assert.equal(raw.received(), '');
  });

  test(`${way}: times out without a response, with a slow drip, and in a silent handshake`, async () => {
    const silent = await serveRaw(() => {});
    isFault(await get(silent.url, { timeoutMs: 100 }), 'timeout', true);
    isFault(await get(silent.url.replace('http', 'https'), { timeoutMs: 100 }), 'timeout', false);
    const drip = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    // It drips for ever, so that whatever ends it is the limit.
    isFault(await get(drip.url, { timeoutMs: 200 }), 'timeout', true);
    await drip.abandoned();
  });

  test(`${way}: the caller aborts, before and after sending`, async () => {
    isFault(await get('http://127.0.0.1:9/', { signal: AbortSignal.abort() }), 'aborted', false);
    const controller = new AbortController();
    const raw = await serveRaw(() => controller.abort());
    isFault(await get(raw.url, { signal: controller.signal }), 'aborted', true);
    await raw.abandoned();
  });

  const broken = 'HTTP/1.1 200 OK\r\n';
  for (const [description, framed] of Object.entries({
    'a length that is too long': 'content-length: 5\r\n\r\nhalf',
    'no last chunk': 'transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    'a bad chunk': 'transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n',
  })) {
    test(`${way}: ${description}: the fault includes the partial response`, async () => {
      const raw = await serveRaw((socket) => socket.end(broken + framed));
      const result = await get(raw.url);
      const arrived = 'fault' in result ? result.arrived : undefined;
      assert.deepEqual(arrived && [arrived.status, textOf(arrived)], [200, 'half']);
    });
  }

  for (const [description, misbehave] of Object.entries<(socket: Socket) => unknown>({
    'a reset': (socket) => socket.resetAndDestroy(),
    'an end without an answer': (socket) => socket.end(),
    'an end within the headers': (socket) => socket.end(`${broken}x-a: b`),
    'a body shorter than its length': (socket) => socket.end(`${broken}content-length: 10\r\n\r\nhalf`),
    'one that says it will close': (socket) =>
      socket.end(`${broken}connection: close\r\ncontent-length: 10\r\n\r\nhalf`),
    'a chunk cut off': (socket) => socket.end(`${broken}transfer-encoding: chunked\r\n\r\na\r\nhalf`),
    'the last chunk missing': (socket) =>
      socket.end(`${broken}connection: close\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
    'a reset within the body': (socket) =>
      socket.write(`${broken}content-length: 10\r\n\r\nhalf`, () => socket.resetAndDestroy()),
  })) {
    test(`${way}: ${description} is a reset`, async () => {
      const raw = await serveRaw(misbehave);
      isFault(await get(raw.url), 'reset', true);
    });
  }

  for (const [description, misbehave] of Object.entries<(socket: Socket) => unknown>({
    'no HTTP at all': (socket) => socket.write('220 mail.test ESMTP\r\n'),
    'headers without end': (socket) => {
      socket.write(broken);
      const timer = setInterval(() => socket.write(`x-${'y'.repeat(2000)}: z\r\n`), 1);
      socket.on('close', () => clearInterval(timer));
    },
    'a header that is too long': (socket) => socket.write(`${broken}x-long: ${'y'.repeat(20_000)}\r\n\r\n`),
    'a bad chunk': (socket) => socket.write(`${broken}transfer-encoding: chunked\r\n\r\nzz\r\n`),
    'two lengths': (socket) => socket.write(`${broken}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
    'news without an end': (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)),
    'another protocol': (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  })) {
    test(`${way}: ${description} is malformed`, async () => {
      const raw = await serveRaw(misbehave);
      isFault(await get(raw.url), 'malformed', true);
      await raw.abandoned();
    });
  }

  test(`${way}: too large, as declared and as sent`, async () => {
    const announced = await serveRaw((socket) => socket.write(`${broken}content-length: 100001\r\n\r\n`));
    isFault(await get(announced.url), 'too-large', true);
    await announced.abandoned();
    const endless = await serveRaw((socket) => {
      socket.write(`${broken}transfer-encoding: chunked\r\n\r\n`);
      const more = () => {
        while (socket.writable && socket.write(`3e8\r\n${'x'.repeat(1000)}\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    isFault(await get(endless.url), 'too-large', true);
    await endless.abandoned();
    // Its beginning may be enough.
    const begin = (url: string) =>
      http.send({ method: 'GET', url, headers: {} }, { ...limits, maxBytes: 1500, cutsLongBody: true });
    const cut = await begin(endless.url);
    assert.deepEqual('status' in cut && [cut.status, textOf(cut)], [200, 'x'.repeat(1500)]);
    await endless.abandoned();
    const long = await serveRaw((socket) => {
      socket.write(`${broken}content-length: 100001\r\n\r\n${'y'.repeat(2000)}`);
    });
    assert.equal(textOf(await begin(long.url)), 'y'.repeat(1500));
    await long.abandoned();
  });
}

function addresses(way: string, http: Http): void {
  test(`${way}: never connects to an address that is not allowed`, async () => {
    const raw = await serveRaw(() => {});
    const asked: string[] = [];
    const allowAddress = (address: string) => {
      asked.push(address);
      return false;
    };
    const hosts = ['127.0.0.1', '[::1]', 'localhost', '2130706433'];
    for (const host of hosts) {
      const url = `http://${host}:${raw.port}/`;
      isFault(
        await http.send({ method: 'GET', url, headers: {} }, { ...limits, allowAddress }),
        'address-not-allowed',
        false,
      );
    }
    const connectTo = { host: '127.0.0.1', port: raw.port };
    const elsewhere = { method: 'GET', url: 'http://service.test/', headers: {} };
    isFault(await http.send(elsewhere, { ...limits, allowAddress, connectTo }), 'address-not-allowed', false);
    assert.equal(asked[0], '127.0.0.1');
    assert.equal(asked[1], '::1');
    assert.ok(asked.every((address) => address === '127.0.0.1' || address === '::1'));
    assert.equal(raw.connections(), 0);
  });

  test(`${way}: uses the default port of the scheme`, async () => {
    // Nobody can listen there: the system itself refuses at once, and names where to.
    for (const [scheme, port] of [
      ['http', 80],
      ['https', 443],
    ]) {
      const url = `${scheme}://255.255.255.255/`;
      const result = await http.send({ method: 'GET', url, headers: {} }, limits);
      if (!('fault' in result)) assert.fail(`a response: ${result.status}`);
      assert.equal(result.sent, false);
      assert.match(result.detail, new RegExp(`255\\.255\\.255\\.255:${port}\\b`));
    }
  });

  test(`${way}: uses the allowed ones of a name's addresses`, async () => {
    const url = await serve((_, response) => response.end('here'));
    const request = { method: 'GET', url: url.replace('127.0.0.1', 'localhost'), headers: {} };
    const response = await http.send(request, {
      ...limits,
      allowAddress: (address) => address === '127.0.0.1',
    });
    assert.equal(textOf(answered(response)), 'here');
  });

  test(`${way}: checks the address again on a kept-alive connection`, async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.end('first');
    });
    const request = { method: 'GET', url: url.replace('127.0.0.1', 'localhost'), headers: {} };
    answered(await http.send(request, limits));
    isFault(await http.send(request, { ...limits, allowAddress: () => false }), 'address-not-allowed', false);
    assert.equal(requests, 1);
  });

  test(`${way}: connectTo connects elsewhere and keeps the name`, async () => {
    const url = await serve((request, response) => response.end(request.headers.host));
    const port = Number(new URL(url).port);
    const request = { method: 'GET', url: 'http://service.test:81/', headers: {} };
    const response = await http.send(request, { ...limits, connectTo: { host: '127.0.0.1', port } });
    assert.equal(textOf(answered(response)), 'service.test:81');
  });
}

function connections(way: keyof typeof ways, create: (environment: Environment) => Http): void {
  test(`${way}: many requests share at most 64 connections`, async () => {
    const sockets = new Set<unknown>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      request.resume().on('end', () => response.end('ok'));
    });
    const http = create({});
    const send = () => http.send({ method: 'POST', url, headers: {}, body: 'x'.repeat(500) }, limits);
    const results = await Promise.all(Array.from({ length: 200 }, send));
    assert.ok(results.every((result) => 'status' in result && result.status === 200));
    assert.ok(sockets.size > 1 && sockets.size <= 64, `${sockets.size} connections`);
  });

  test(`${way}: a request aborted while waiting for a connection was not sent`, async () => {
    let asked = 0;
    const url = await serve((request, response) => {
      asked += 1;
      if (request.url === '/last') response.end();
    });
    const http = create({});
    const controller = new AbortController();
    const send = (options: HttpOptions) => http.send({ method: 'GET', url, headers: {} }, options);
    const busy = Array.from({ length: 64 }, () => send({ ...limits, signal: controller.signal }));
    const waiting = Array.from({ length: 6 }, () => send({ ...limits, timeoutMs: 300 }));
    for (const result of await Promise.all(waiting)) isFault(result, 'timeout', false);
    controller.abort();
    for (const result of await Promise.all(busy)) isFault(result, 'aborted', true);
    // Behind them in the same queue; several, for those of the queue to arrive if they are on their way.
    for (let i = 0; i < 10; i++) {
      answered(await http.send({ method: 'GET', url: `${url}/last`, headers: {} }, limits));
    }
    assert.equal(asked, 64 + 10);
  });

  test(`${way}: the client closes a kept-alive connection`, async () => {
    let closed: Promise<unknown> | undefined;
    // This server never closes it.
    const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      closed = new Promise((resolve) => request.socket.on('close', resolve));
      response.end();
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    answered(await create({}).send({ method: 'GET', url, headers: {} }, limits));
    await closed;
  });

  test(`${way}: a request lost on a kept-alive connection counts as sent, and is not sent again`, async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      requests += 1;
      if (requests === 1) response.end('first');
      else request.socket.resetAndDestroy();
    });
    const http = create({});
    const send = () => http.send({ method: 'POST', url, headers: {}, body: 'x' }, limits);
    answered(await send());
    isFault(await send(), 'reset', true);
    assert.equal(requests, 2);
  });

  test(`${way}: neither a kept-alive connection nor an aborted request keeps the process alive`, async () => {
    const { results, lingered } = await inAnotherProcess();
    const [first, ...lost] = results[`lasting, ${way}`] ?? [];
    assert.equal(first?.['text'], 'kept');
    assert.deepEqual(
      lost.map(({ fault }) => fault),
      ['timeout', 'timeout', 'timeout', 'timeout'],
    );
    assert.ok(lingered < mostTicks, `${lingered} ticks`);
  });
}

function secure(way: keyof typeof ways, http: Http): void {
  test(`${way}: no secure connection, nothing sent`, async () => {
    const plain = await serveRaw((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const get = (url: string) => http.send({ method: 'GET', url, headers: {} }, limits);
    isFault(await get(plain.url.replace('http', 'https')), 'tls', false);
    const closing = await serveRaw((socket) => socket.destroy());
    const broken = await get(closing.url.replace('http', 'https'));
    isFault(broken, 'tls', false);
    // A server that is restarted does that.
    assert.ok('fault' in broken && broken.mayPass);
    const closed = `https://127.0.0.1:${await freePort()}/`;
    isFault(await get(closed), 'connection-refused', false);
  });

  test(`${way}: sends no byte to a server with an untrusted certificate`, async () => {
    const peer = await serveSecurely();
    const request = { method: 'GET', url: `https://127.0.0.1:${peer.port}/`, headers: {} };
    const distrusted = await http.send(request, limits);
    isFault(distrusted, 'tls', false);
    assert.ok('fault' in distrusted && distrusted.mayPass === undefined);
    assert.equal(peer.bytes(), 0);
  });

  test(`${way}: sends no byte if a trusted certificate is for another name`, async () => {
    const { results, securePort } = await inAnotherProcess();
    const [right, wrong] = results[`names, ${way}`] ?? [];
    assert.deepEqual([right?.['status'], right?.['text']], [200, `127.0.0.1:${securePort} as false`]);
    assert.deepEqual([wrong?.['fault'], wrong?.['sent']], ['tls', false]);
  });
}

function secureAddresses(way: keyof typeof ways, http: Http): void {
  test(`${way}: sends no byte to another address with an untrusted certificate`, async () => {
    const peer = await serveSecurely();
    const connectTo = { host: '127.0.0.1', port: peer.port };
    const request = { method: 'GET', url: 'https://service.test/', headers: {} };
    const distrusted = await http.send(request, { ...limits, connectTo });
    isFault(distrusted, 'tls', false);
    assert.ok('fault' in distrusted && distrusted.mayPass === undefined);
    assert.equal(peer.bytes(), 0);
  });

  test(`${way}: a trusted certificate must be for the URL's own name`, async () => {
    const { results } = await inAnotherProcess();
    const [right, literal, ...wrong] = results[`one address, ${way}`] ?? [];
    assert.deepEqual([right?.['status'], right?.['text']], [200, 'service.test as service.test']);
    assert.equal(literal?.['status'], 200);
    assert.deepEqual(
      wrong.map(({ fault, sent }) => [fault, sent]),
      [
        ['tls', false],
        ['tls', false],
      ],
    );
  });
}

function proxies(): void {
  const request = { method: 'GET', url: 'http://service.test/path', headers: {} };

  test('proxy: requests go through it, for both schemes and with its password', async () => {
    const url = await serve((asked, response) => response.end(`${asked.headers.host}${asked.url}`));
    const proxy = await serveProxy(Number(new URL(url).port));
    const http = createHttp({ http_proxy: `http://me:canary@127.0.0.1:${proxy.port}` });
    assert.equal(textOf(answered(await http.send(request, limits))), 'service.test/path');
    assert.deepEqual(proxy.asked, ['service.test:80']);
    assert.deepEqual(proxy.passwords, [`Basic ${btoa('me:canary')}`]);

    const { results, proxyAsked, lingered } = await inAnotherProcess();
    const [result, other] = results['a proxy'] ?? [];
    assert.deepEqual([result?.['status'], result?.['text']], [200, 'service.test as service.test']);
    assert.deepEqual(proxyAsked, ['other.test:443', 'service.test:443']);
    assert.ok(lingered < mostTicks, `${lingered} ticks`);
    assert.deepEqual([other?.['fault'], other?.['sent']], ['tls', false]);
  });

  test('proxy: one that rejects, is down, disconnects, or has an invalid address', async () => {
    const refusing = await serveProxy(undefined);
    const closed = await freePort();
    const breaking = await serveRaw((socket) => socket.destroy());
    const talking = await serveRaw((socket) => socket.end('220 mail.test ESMTP\r\n'));
    for (const proxyAddress of [refusing.port, closed, breaking.port, talking.port, 'nowhere:x']) {
      const host = typeof proxyAddress === 'number' ? `127.0.0.1:${proxyAddress}` : proxyAddress;
      for (const url of [request.url, 'https://service.test/']) {
        const proxy = `http://me:canary@${host}`;
        const http = createHttp({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy });
        const fault = await http.send({ ...request, url }, limits);
        isFault(fault, 'proxy', false);
        // It rejects the request, or its address is invalid: waiting does not help.
        const isFinal = proxyAddress === refusing.port || proxyAddress === 'nowhere:x';
        assert.ok('fault' in fault && fault.mayPass === (isFinal ? false : undefined), `${proxyAddress}`);
      }
    }
  });

  test('proxy: a silent one times out, nothing sent, and the process ends', async () => {
    const { results, lingered } = await inAnotherProcess();
    const [result] = results['a silent proxy'] ?? [];
    assert.deepEqual([result?.['fault'], result?.['sent']], ['timeout', false]);
    assert.ok(lingered < mostTicks, `${lingered} ticks`);
  });

  test('proxy: faults of the server behind it are reported as its own', async () => {
    const raw = await serveRaw((socket) => socket.destroy());
    const proxy = await serveProxy(raw.port);
    const http = createHttp({ HTTP_PROXY: `http://127.0.0.1:${proxy.port}` });
    isFault(await http.send(request, limits), 'reset', true);
  });

  test('proxy: bypassed for NO_PROXY, this machine, and a connectTo address', async () => {
    const url = await serve((_, response) => response.end('direct'));
    const port = Number(new URL(url).port);
    const proxy = await serveProxy(undefined);
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    for (const host of ['127.0.0.1', 'localhost']) {
      const here = { ...request, url: `http://${host}:${port}/` };
      assert.equal(textOf(answered(await createHttp(environment).send(here, limits))), 'direct');
    }
    const connectTo = { host: '127.0.0.1', port };
    assert.equal(
      textOf(answered(await createHttp(environment).send(request, { ...limits, connectTo }))),
      'direct',
    );
    const closed = { ...request, url: 'http://service.test:9/' };
    const excepted = createUndiciHttp({ ...environment, NO_PROXY: 'other.test,service.test' });
    isFault(await excepted.send(closed, limits), 'unreachable', false);
    const others = createUndiciHttp({ ...environment, NO_PROXY: 'other.test,ice.test' });
    isFault(await others.send(closed, limits), 'proxy', false);
    assert.deepEqual(proxy.asked, ['service.test:9']);
  });

  test("proxy: ignores the process's own environment and uses the one given", async () => {
    const url = await serve((_, response) => response.end('direct'));
    process.env['HTTP_PROXY'] = 'http://127.0.0.1:9';
    try {
      const response = await createUndiciHttp({}).send({ ...request, url }, limits);
      assert.equal(textOf(answered(response)), 'direct');
    } finally {
      delete process.env['HTTP_PROXY'];
    }
  });
}

// ------------------------------------------------------------------------------------------------------- the peers

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

async function serve(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(handler))}`;
}

/** A server of bytes: misbehaves once something has come from the other side. */
async function serveRaw(misbehave: (socket: Socket) => unknown) {
  let received = '';
  let count = 0;
  const closes: Promise<unknown>[] = [];
  const server = createRawServer((socket) => {
    count += 1;
    closes.push(new Promise((resolve) => socket.on('close', resolve)));
    socket.on('error', () => {});
    socket.once('data', () => misbehave(socket));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
  });
  const port = await listen(server);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    received: () => received,
    connections: () => count,
    /** Resolves when the other side has closed every connection, as it must after a fault. */
    abandoned: () => Promise.all(closes),
  };
}

async function serveSecurely() {
  let bytes = 0;
  const server = createSecureServer({ key, cert }, (request, response) => {
    const name = 'servername' in request.socket ? String(request.socket.servername) : '';
    response.end(`${request.headers.host} as ${name}`);
  });
  server.on('secureConnection', (socket: Socket) => {
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
  });
  server.on('tlsClientError', () => {});
  return { port: await listen(server), bytes: () => bytes };
}

/** A proxy for CONNECT, which takes every name for this machine; or refuses, where there is no port. */
async function serveProxy(to: number | undefined) {
  const asked: string[] = [];
  const passwords: string[] = [];
  const server = createServer();
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(request.url ?? '');
    const password = request.headers['proxy-authorization'];
    if (password) passwords.push(password);
    client.on('error', () => {});
    if (to === undefined) return client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    const upstream = connect(to, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    return undefined;
  });
  return { port: await listen(server), asked, passwords };
}

interface AnotherProcess extends Report {
  /** Of the server that has the certificate. */
  readonly securePort: number;
  readonly proxyAsked: readonly string[];
}

let another: Promise<AnotherProcess> | undefined;

/** All calls that need a process, in one: it costs more than what they do. */
function inAnotherProcess(): Promise<AnotherProcess> {
  another ??= callInAnotherProcess();
  return another;
}

async function callInAnotherProcess(): Promise<AnotherProcess> {
  const { port: securePort } = await serveSecurely();
  const silent = await serveRaw(() => {});
  const kept = await serve((_, response) => response.end('kept'));
  const proxy = await serveProxy(securePort);
  const atPort = (port: number) => ({ connectTo: { host: '127.0.0.1', port } });
  const toAll = (hosts: readonly string[], options: HttpOptions) =>
    hosts.map((host) => ({ url: `https://${host}/`, options }));

  const names = toAll([`127.0.0.1:${securePort}`, `localhost:${securePort}`], limits);
  // The machine connected to could vouch for itself, but it is not always the one that was asked for.
  const atAddress = { ...limits, ...atPort(securePort) };
  const oneAddress = toAll(['service.test', '127.0.0.1', 'other.test', '127.0.0.2'], atAddress);
  const short = { ...limits, timeoutMs: 200 };
  const givenUp = [silent.url, silent.url.replace('http', 'https')].flatMap((url) => [
    { url, options: short },
    { url, options: { ...short, ...atPort(silent.port) } },
  ]);
  const lasting = [{ url: kept, options: limits }, ...givenUp];

  const errands: Record<string, Errand> = {
    'a proxy': {
      way: 'node',
      environment: { HTTPS_PROXY: `127.0.0.1:${proxy.port}` },
      calls: toAll(['service.test', 'other.test'], limits),
    },
    'a silent proxy': {
      way: 'node',
      environment: { HTTPS_PROXY: silent.url },
      calls: toAll(['service.test'], short),
    },
  };
  for (const way of ['node', 'undici', 'many'] as const) {
    errands[`names, ${way}`] = { way, environment: {}, calls: names };
    errands[`lasting, ${way}`] = { way, environment: {}, calls: lasting };
    if (way !== 'undici') errands[`one address, ${way}`] = { way, environment: {}, calls: oneAddress };
  }
  const report = await runErrands(errands);
  return { ...report, securePort, proxyAsked: proxy.asked.toSorted() };
}

/** In a process that trusts the certificate above. */
async function runErrands(errands: Readonly<Record<string, Errand>>): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-http-'));
  try {
    const trusted = join(folder, 'trusted.pem');
    await writeFile(trusted, cert);
    const argv = [fileURLToPath(import.meta.url), 'errands', JSON.stringify(errands)];
    const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: trusted };
    const { stdout } = await promisify(execFile)(process.execPath, argv, { env, timeout: 120_000 });
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function answered(result: HttpResponse | HttpFault): HttpResponse {
  if ('fault' in result) assert.fail(`${result.fault}: ${result.detail}`);
  return result;
}

function isFault(result: HttpResponse | HttpFault, fault: HttpFault['fault'], sent: boolean): void {
  if (!('fault' in result)) assert.fail(`an answer: ${result.status}`);
  assert.deepEqual([result.fault, result.sent], [fault, sent], result.detail);
  assert.ok(result.detail.length > 0);
  assert.doesNotMatch(result.detail, /canary/);
}

function textOf(result: HttpResponse | HttpFault): string {
  return 'body' in result ? Buffer.from(result.body).toString() : '';
}
