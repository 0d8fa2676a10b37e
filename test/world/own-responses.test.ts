// What a server responds without its handler, and that with `never4xx` it is never a 4xx, but for the 408.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { connect } from 'node:tls';
import { createServerCertificate } from '#emulator/certificate.ts';
import { exchangeBytes, openConnection, statusesIn } from '#test/support/service/raw-exchange.ts';
import { createServer } from '#world/server.ts';
import type { ListenOptions, RequestHandler } from '#world/world.ts';

const post = (headers: string, body = '') => `POST / HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`;
const long = 'x'.repeat(20_000);

/** `plain`: what Node or this server responds by itself. Those without it reach the handler, which responds with 204. */
const requests: readonly { about: string; bytes: string; end?: boolean; plain: number }[] = [
  { about: 'no HTTP', bytes: 'nonsense\r\n\r\n', plain: 400 },
  { about: 'TLS', bytes: '\u0016\u0003\u0001\u0002\0\u0001\0', plain: 400 },
  { about: 'HTTP/0.9, ended', bytes: 'GET /\r\n', end: true, plain: 400 },
  { about: 'HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', plain: 400 },
  { about: 'HTTP/3.7', bytes: 'GET / HTTP/3.7\r\nHost: a\r\n\r\n', plain: 400 },
  { about: 'an unknown method', bytes: 'FROB / HTTP/1.1\r\nHost: a\r\n\r\n', plain: 400 },
  { about: 'lines that end with LF', bytes: 'POST / HTTP/1.1\nHost: a\n\n', plain: 400 },
  { about: 'a folded header', bytes: post('X: a\r\n b\r\n'), plain: 400 },
  { about: 'no Host', bytes: 'POST / HTTP/1.1\r\nConnection: close\r\n\r\n', plain: 400 },
  { about: 'two lengths', bytes: post('Content-Length: 2\r\nContent-Length: 3\r\n', '[]'), plain: 400 },
  { about: 'the same length twice', bytes: post('Content-Length: 2\r\nContent-Length: 2\r\n'), plain: 400 },
  { about: 'a negative length', bytes: post('Content-Length: -1\r\n'), plain: 400 },
  { about: 'an impossible length', bytes: post(`Content-Length: ${'9'.repeat(30)}\r\n`), plain: 400 },
  {
    about: 'length and chunks',
    bytes: post('Transfer-Encoding: chunked\r\nContent-Length: 2\r\n'),
    plain: 400,
  },
  { about: 'another encoding', bytes: post('Transfer-Encoding: gzip\r\n', '[]'), plain: 400 },
  { about: 'an encoding after the chunks', bytes: post('Transfer-Encoding: chunked, x\r\n'), plain: 400 },
  { about: 'a broken chunk', bytes: post('Transfer-Encoding: chunked\r\n', 'zz\r\n'), plain: 400 },
  {
    about: 'a long chunk extension',
    bytes: post('Transfer-Encoding: chunked\r\n', `2;${long}\r\n`),
    plain: 413,
  },
  { about: 'a long header', bytes: post(`X: ${long}\r\n`), plain: 431 },
  { about: 'a long path', bytes: `POST /${long} HTTP/1.1\r\nHost: a\r\n\r\n`, plain: 431 },
  { about: 'another expectation', bytes: post('Expect: tea\r\nConnection: close\r\n'), plain: 417 },
  { about: 'CONNECT', bytes: 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', plain: 405 },
  { about: 'headers broken off', bytes: 'POST / HTTP/1.1\r\nHo', end: true, plain: 400 },
  { about: 'a body broken off', bytes: post('Content-Length: 5\r\n', '[]'), end: true, plain: 400 },
];
/** They are answered after all: by the handler. */
const handled = new Set(['no Host', 'another expectation']);

const respond: RequestHandler = (request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
};

async function listening(t: { after(end: () => unknown): void }, options: Partial<ListenOptions>) {
  const reports: string[] = [];
  const onOwnResponse = (status: number, why: string) => void reports.push(`${status} ${why}`);
  const at = { host: '127.0.0.1', port: 0, halfOpen: true, onOwnResponse, ...options };
  const server = await createServer().listen(at, respond);
  if ('fault' in server) assert.fail(server.detail);
  t.after(() => server.close());
  return { server, port: server.port, reports };
}

for (const { about, bytes, end = false, plain } of requests) {
  test(`${about}: ${plain}, or 503 if there must be no 4xx`, async (t) => {
    const usual = await listening(t, {});
    assert.deepEqual(statusesIn(await exchangeBytes(usual.port, bytes, { end })), [plain]);
    const careful = await listening(t, { never4xx: true });
    const text = await exchangeBytes(careful.port, bytes, { end });
    assert.deepEqual(statusesIn(text), [handled.has(about) ? 204 : 503]);
    assert.deepEqual(careful.reports, handled.has(about) ? [] : ['503 malformed']);
  });
}

// Their time passes together.
describe('late', { concurrency: true }, () => {
  for (const { about, bytes, report } of [
    { about: 'headers', bytes: 'POST / HTTP/1.1\r\nHo', report: ['408 malformed'] },
    { about: 'a body', bytes: post('Content-Length: 5\r\n', '[]'), report: ['408 malformed'] },
    { about: 'nothing at all', bytes: '', report: [] },
  ]) {
    test(`${about} that does not arrive in time: 408, which is retried`, async (t) => {
      // Long enough for what was sent to be read first, however busy the machine is.
      const limits = { headersMs: 1_500, requestMs: 1_500 };
      const { port, reports } = await listening(t, { never4xx: true, limits });
      assert.deepEqual(statusesIn(await exchangeBytes(port, bytes)), [408]);
      assert.deepEqual(reports, report);
    });
  }
});

test('reports a connection that breaks during a request, but not one between requests', async (t) => {
  const hits: (() => void)[] = [];
  const broken = new Promise<void>((resolve) => void hits.push(resolve));
  const { port, reports } = await listening(t, {
    never4xx: true,
    onOwnResponse: (status, why) => {
      reports.push(`${status} ${why}`);
      for (const hit of hits) hit();
    },
  });
  const idle = openConnection(port);
  idle.socket.write(post('Content-Length: 0\r\n'));
  await once(idle.socket, 'data');
  idle.socket.resetAndDestroy();
  await idle.all;
  const cut = openConnection(port);
  cut.socket.write(post('Content-Length: 5\r\nExpect: 100-continue\r\n'));
  await once(cut.socket, 'data');
  cut.socket.resetAndDestroy();
  await broken;
  assert.deepEqual(reports, ['0 malformed']);
});

test('a request before broken bytes still gets its response', async (t) => {
  const { port } = await listening(t, { never4xx: true });
  const text = await exchangeBytes(port, `${post('Content-Length: 0\r\n')}nonsense\r\n\r\n`);
  assert.deepEqual(statusesIn(text), [204, 503]);
});

test('broken bytes after broken bytes get no second response', async (t) => {
  const { port, reports } = await listening(t, { never4xx: true });
  const { socket, all } = openConnection(port);
  socket.write('nonsense\r\n\r\n');
  await once(socket, 'data');
  socket.write('more nonsense\r\n\r\n');
  assert.deepEqual(statusesIn(await all), [503]);
  assert.deepEqual(reports, ['503 malformed']);
});

test('one connection too many: closes idle ones to make room, or responds 503', async (t) => {
  const { port, reports } = await listening(t, { never4xx: true, limits: { connections: 1 } });
  const idle = openConnection(port);
  idle.socket.write(post('Content-Length: 0\r\n'));
  await once(idle.socket, 'data');
  const last = 'Content-Length: 2\r\nConnection: close\r\n';
  assert.deepEqual(statusesIn(await exchangeBytes(port, post(last, '[]'))), [204]);
  assert.deepEqual(statusesIn(await idle.all), [204]);
  const busy = openConnection(port);
  busy.socket.write(post('Content-Length: 2\r\nExpect: 100-continue\r\n'));
  await once(busy.socket, 'data');
  reports.length = 0;
  assert.deepEqual(statusesIn(await exchangeBytes(port, post(last, '[]'))), [503]);
  assert.deepEqual(reports, ['503 busy']);
  busy.socket.write('[]');
  await once(busy.socket, 'data');
  assert.deepEqual(statusesIn(busy.text()), [100, 204]);
  busy.socket.destroy();
  await busy.all;
});

test('one connection too many with https: 503', async (t) => {
  const tls = await createServerCertificate(Date.now());
  const { port, reports } = await listening(t, { never4xx: true, tls, limits: { connections: 1 } });
  const open = async () => {
    const socket = connect({ host: '127.0.0.1', port, ca: tls.authority }).setEncoding('latin1');
    await once(socket, 'secureConnect');
    return socket;
  };
  const busy = await open();
  busy.write(post('Content-Length: 2\r\nExpect: 100-continue\r\n'));
  await once(busy, 'data');
  const further = await open();
  further.write(post('Content-Length: 2\r\n', '[]'));
  assert.deepEqual(statusesIn(await text(further)), [503]);
  assert.deepEqual(reports, ['503 busy']);
  busy.write('[]');
  const [response] = await once(busy, 'data');
  assert.deepEqual(statusesIn(response), [204]);
  busy.destroy();
});

test('closes connections far above the limit at once', async (t) => {
  const { port, reports } = await listening(t, { limits: { connections: 1 } });
  const arriving = [];
  for (let count = 0; count < 2; count++) {
    const { socket } = openConnection(port);
    // Its request waits for the rest of its body.
    socket.write(post('Content-Length: 2\r\nExpect: 100-continue\r\n'));
    await once(socket, 'data');
    arriving.push(socket);
  }
  assert.equal(await openConnection(port).all, '');
  assert.deepEqual(reports, ['0 busy']);
  for (const socket of arriving) socket.destroy();
});

test('too many connections: closes the oldest silent ones, and answers each request', async (t) => {
  const limits = { connections: 10, stallMs: 100 };
  const { port, reports } = await listening(t, { never4xx: true, limits });
  const silent = Array.from({ length: 15 }, () => openConnection(port));
  // Together: one of them may connect before an earlier one.
  await Promise.all(silent.map(({ socket }) => once(socket, 'connect')));
  // Each of them gets its 408 after a look at all connections.
  for (let count = 0; count < 3; count++)
    assert.deepEqual(statusesIn(await exchangeBytes(port, 'POST / HTTP/1.1\r\n')), [408]);
  const last = post('Content-Length: 2\r\nConnection: close\r\n', '[]');
  assert.deepEqual(statusesIn(await exchangeBytes(port, last)), [204]);
  for (const { all } of silent.slice(0, 6)) assert.equal(await all, '');
  assert.deepEqual(
    reports.filter((report) => report !== '408 malformed'),
    Array.from({ length: 6 }, () => '0 silent'),
  );
  assert.equal(silent.at(-1)?.socket.destroyed, false);
});

test('many connections at once: each request gets a response, as none was silent for long', async (t) => {
  const { port, reports } = await listening(t, { never4xx: true, limits: { connections: 3 } });
  const fresh = Array.from({ length: 6 }, () => openConnection(port));
  await Promise.all(fresh.map(({ socket }) => once(socket, 'connect')));
  // All of them are accepted before the last one has its response, and the others send only then.
  const texts = [];
  for (const { socket, all } of fresh.toReversed()) {
    socket.write(post('Content-Length: 2\r\nConnection: close\r\n', '[]'));
    texts.unshift(await all);
  }
  const statuses = texts.flatMap(statusesIn);
  assert.deepEqual(statuses, [204, 204, 204, 503, 503, 503]);
  assert.deepEqual(reports, ['503 busy', '503 busy', '503 busy']);
});

test('an unfinished request gets 408, in its head as in its body', async (t) => {
  const { port, reports } = await listening(t, { never4xx: true, limits: { connections: 10, stallMs: 100 } });
  for (const begun of ['POST / HTTP/1.1\r\nHost: a\r\n', post('Content-Length: 9999\r\n', '[')])
    assert.deepEqual(statusesIn(await exchangeBytes(port, begun)), [408]);
  assert.deepEqual(reports, ['408 malformed', '408 malformed']);
});

test('an idle connection stays open after an early response and a stray line end', async (t) => {
  const limits = { connections: 10, stallMs: 100 };
  const server = await createServer().listen(
    { host: '127.0.0.1', port: 0, halfOpen: true, never4xx: true, limits },
    (_, response) => void response.writeHead(204).end(),
  );
  if ('fault' in server) assert.fail(server.detail);
  t.after(() => server.close());
  const idle = openConnection(server.port);
  idle.socket.write(post('Content-Length: 5\r\n', '['));
  await once(idle.socket, 'data');
  idle.socket.write('1,2]\r\n');
  // Each of them gets its 408 after a look at all connections.
  for (let count = 0; count < 3; count++)
    assert.deepEqual(statusesIn(await exchangeBytes(server.port, 'POST / HTTP/1.1\r\n')), [408]);
  idle.socket.write(post('Content-Length: 0\r\nConnection: close\r\n'));
  assert.deepEqual(statusesIn(await idle.all), [204, 204]);
});

test('is idle once each request has its response or is gone', async (t) => {
  const waiting: (() => void)[] = [];
  const at = { host: '127.0.0.1', port: 0, halfOpen: true };
  const server = await createServer().listen(at, (_, response) => {
    waiting.push(() => response.writeHead(204).end());
    reached();
  });
  if ('fault' in server) assert.fail(server.detail);
  t.after(() => server.close());
  await server.idle();
  let reached = () => {};
  const arrivals = (count: number) =>
    new Promise<void>((resolve) => {
      reached = () => void (waiting.length === count && resolve());
    });
  const arrived = arrivals(3);
  const first = openConnection(server.port);
  first.socket.write(post('Content-Length: 0\r\n'));
  const pipelined = openConnection(server.port);
  pipelined.socket.write(post('Content-Length: 0\r\n').repeat(2));
  await arrived;
  let isIdle = false;
  const idle = server.idle().then(() => {
    isIdle = true;
  });
  server.stopAccepting();
  pipelined.socket.destroy();
  await pipelined.all;
  assert.equal(isIdle, false);
  const response = once(first.socket, 'data');
  for (const respondNow of waiting) respondNow();
  await idle;
  await response;
  assert.deepEqual(statusesIn(first.text()), [204]);
});

test('after a stop, each connection ends with its next response, or the last of several; then with 503', async (t) => {
  const waiting: (() => void)[] = [];
  let reached: readonly [count: number, resolve: () => void] = [0, () => {}];
  const arrivals = (count: number) =>
    new Promise<void>((resolve) => {
      reached = [count, resolve];
    });
  const reports: string[] = [];
  const server = await createServer().listen(
    { host: '127.0.0.1', port: 0, onOwnResponse: (status, why) => reports.push(`${status} ${why}`) },
    (_, response) => {
      waiting.push(() => response.writeHead(204).end());
      if (waiting.length === reached[0]) reached[1]();
    },
  );
  if ('fault' in server) assert.fail(server.detail);
  t.after(() => server.close());
  const request = post('Content-Length: 0\r\n');
  const send = async (connection: ReturnType<typeof openConnection>, bytes: string, count: number) => {
    const arrived = arrivals(waiting.length + count);
    connection.socket.write(bytes);
    await arrived;
  };
  const respond = () => {
    for (const respondNow of waiting.splice(0)) respondNow();
  };
  const [idle, late, busy, pipelined] = [1, 2, 3, 4].map(() => openConnection(server.port));
  assert.ok(idle && late && busy && pipelined);
  for (const connection of [idle, late]) {
    await send(connection, request, 1);
    const response = once(connection.socket, 'data');
    respond();
    await response;
  }
  await send(busy, request, 1);
  await send(pipelined, request, 1);
  server.stopAccepting();
  // The one that was to be the last response there is not any more.
  await send(pipelined, request, 1);
  await send(idle, request, 1);
  assert.equal((await once(openConnection(server.port).socket, 'error'))[0].code, 'ECONNREFUSED');
  respond();
  const connectionsIn = (text: string) =>
    [...text.matchAll(/^Connection: (.*)\r$/gm)].map(([, value]) => value);
  for (const [connection, expected] of [
    [idle, ['keep-alive', 'close']],
    [busy, ['close']],
    [pipelined, ['keep-alive', 'close']],
  ] as const) {
    const text = await connection.all;
    assert.deepEqual(new Set(statusesIn(text)), new Set([204]));
    assert.deepEqual(connectionsIn(text), expected);
  }
  assert.deepEqual(reports, []);
  server.refuse();
  late.socket.write(request);
  assert.deepEqual(statusesIn(await late.all), [204, 503]);
  assert.deepEqual(connectionsIn(late.text()), ['keep-alive', 'close']);
  assert.deepEqual(reports, ['503 ending']);
});
