// What several requests of one connection, and a client that is done sending, may count on.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connect as connectSecurely } from 'node:tls';
import { createServerCertificate } from '#emulator/certificate.ts';
import { control } from '#test/support/service/control.ts';
import { records, valuesOf } from '#test/support/service/records.ts';
import { call, type Started, started, update } from '#test/support/service/start-emulator.ts';
import { receiving } from '../dispatch/receiver.ts';

const task = '/api/v4/tasks/IEAAAAAQKQAB5BNG';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';

interface Line {
  readonly socket: Socket;
  send(request: string, options?: { body?: string; says?: number; last?: boolean }): void;
  /** All that came, once the emulator has ended the connection. */
  readonly all: Promise<string>;
}

/** A connection of its own, on which a test sends what it likes. */
function line(emulator: Started, socket: Socket = connected(emulator)): Line {
  let text = '';
  const all = new Promise<string>((resolve) => {
    socket
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        text += piece;
      })
      .on('end', () => socket.end())
      .on('error', () => {})
      .on('close', () => resolve(text));
  });
  const { hostname } = new URL(emulator.baseUrl);
  return {
    socket,
    all,
    send(request, { body = '', says = Buffer.byteLength(body), last = false } = {}) {
      const head = `Host: ${hostname}\r\nAuthorization: Bearer ${emulator.token}\r\n${last ? 'Connection: close\r\n' : ''}`;
      const length = says === 0 ? '' : `${form}Content-Length: ${says}\r\n`;
      // What is sent in one turn arrives together.
      socket.cork();
      socket.write(`${request} HTTP/1.1\r\n${head}${length}\r\n${body}`);
      process.nextTick(() => socket.uncork());
    },
  };
}

function connected({ baseUrl }: Started, ca?: string): Socket {
  const { hostname: host, port } = new URL(baseUrl);
  const options = { host, port: Number(port), allowHalfOpen: true };
  return ca === undefined ? connect(options) : connectSecurely({ ...options, ca });
}

/** The JSON of each answer. */
const answersIn = (text: string) =>
  text
    .split('HTTP/1.1 ')
    .slice(1)
    .map((response) => JSON.parse(response.slice(response.indexOf('\r\n\r\n'))));

async function handshaking(t: TestContext) {
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  receiver.secret = 's';
  let shake: (status: number) => void = () => {};
  receiver.answer = () =>
    new Promise((resolve) => {
      shake = resolve;
    });
  const body = new URLSearchParams({ hookUrl: receiver.url, secret: 's' }).toString();
  return { emulator, receiver, body, shake: () => shake(200) };
}

test('a request sees the changes of the request before it on its connection', async (t) => {
  const emulator = await started(t);
  const { send, all } = line(emulator);
  send(`PUT ${task}`, { body: 'title=in+a+body' });
  send(`GET ${task}`);
  send('PUT /api/v4/tasks/IEAAAAAQKQAB5BUG', { body: 'title=another' });
  send(`PUT ${task}?title=in+the+query`);
  send(`GET ${task}`, { last: true });
  assert.deepEqual(
    answersIn(await all).map(({ data }) => data[0].title),
    ['in a body', 'in a body', 'another', 'in the query', 'in the query'],
  );
});

test('a request waits for an earlier one on its connection; other connections do not', async (t) => {
  const { emulator, receiver, body, shake } = await handshaking(t);
  const { send, all } = line(emulator);
  send('POST /api/v4/webhooks', { body });
  send(`PUT ${task}`, { body: 'title=later' });
  send('GET /api/v4/webhooks', { last: true });
  await receiver.count(1);
  assert.equal((await update(emulator, {})).title, 'Write the launch page');
  assert.deepEqual(await records(emulator, 'GET', '/webhooks'), []);
  shake();
  const [made, , listed] = answersIn(await all);
  assert.equal(made.data.length, 1);
  assert.deepEqual(listed.data, made.data);
  assert.equal((await update(emulator, {})).title, 'later');
});

test('the first request on a connection takes the fault, and all of them still take effect', async (t) => {
  const emulator = await started(t);
  await control(emulator, 'POST', '/faults', { request: 'updateTask', silence: true, when: 'after' });
  const { socket, send } = line(emulator);
  send(`PUT ${task}`, { body: 'title=first' });
  send(`PUT ${task}?importance=Low`);
  send('POST /_emulator/faults', { body: '{"request":"getAccount","status":503}' });
  // The last of them is through once its fault is there.
  let faults: unknown[] = [];
  while (faults.length === 0) ({ faults } = await control(emulator, 'GET', '/faults'));
  const { title, importance } = await update(emulator, {});
  assert.deepEqual([title, importance], ['first', 'Low']);
  socket.destroy();
});

test('if a connection breaks during a slow request, the later ones are not executed', async (t) => {
  const { emulator, receiver, body, shake } = await handshaking(t);
  const { socket, send, all } = line(emulator);
  send('POST /api/v4/webhooks', { body });
  send(`PUT ${task}?importance=Low`);
  send(`PUT ${task}`, { body: 'title=whole' });
  send(`PUT ${task}`, { body: 'title=half', says: 100 });
  await receiver.count(1);
  socket.destroy();
  await all;
  // By the time that it has answered this, it knows.
  await call(emulator, 'GET', '/account');
  shake();
  while ((await records(emulator, 'GET', '/webhooks')).length === 0);
  const { title, importance } = await update(emulator, {});
  assert.deepEqual([title, importance], ['Write the launch page', 'Normal']);
  assert.deepEqual(emulator.logged, []);
});

for (const scheme of ['http', 'https']) {
  test(`a client that half-closes after its requests gets its responses over ${scheme}`, async (t) => {
    const secure = scheme === 'https' ? await createServerCertificate(Date.now()) : undefined;
    const emulator = await started(t, secure ? { secure } : {});
    const ask = (request: string, body = '') => {
      const { send, all } = line(emulator, connected(emulator, secure?.authority));
      send(request, { body, last: true });
      return all;
    };
    await ask('POST /_emulator/faults', '{"request":"getAccount","delayMs":1000}');
    const { socket, send, all } = line(emulator, connected(emulator, secure?.authority));
    send('GET /api/v4/account');
    send(`PUT ${task}`, { body: 'title=half' });
    socket.end();
    await once(socket, 'finish');
    // By the time that it has answered another one, it knows that the end of this one is closed.
    assert.match(await ask('GET /_emulator/faults'), /"faults":\[\]/);
    emulator.clock.move(1_000);
    // It ends the connection behind them.
    const [account, changed] = answersIn(await all);
    assert.deepEqual([account?.kind, changed?.data[0].title], ['accounts', 'half']);
  });
}

test('a client that half-closes in the middle of a request gets a 400', async (t) => {
  const emulator = await started(t);
  const { socket, send, all } = line(emulator);
  send(`PUT ${task}`, { body: 'title=half', says: 100 });
  socket.end();
  assert.match(await all, /^HTTP\/1\.1 400 /);
  assert.equal((await update(emulator, {})).title, 'Write the launch page');
});

test('a connection without a response ends when its client leaves', async (t) => {
  const emulator = await started(t);
  await control(emulator, 'POST', '/faults', { request: 'updateTask', silence: true, when: 'after' });
  const { socket, send, all } = line(emulator);
  send(`PUT ${task}?title=silent`);
  while ((await records(emulator, 'GET', '/tasks/IEAAAAAQKQAB5BNG'))[0].title !== 'silent');
  socket.end();
  assert.equal(await all, '');
});

test('invalid HTTP after valid requests: those get responses first, then 400', async (t) => {
  const emulator = await started(t);
  for (const broken of ['\u0000\u0001 nonsense\r\n\r\n', 'GET  / HTTP/9.9\r\n\r\n']) {
    const { socket, send, all } = line(emulator);
    send(`PUT ${task}`, { body: 'title=before+the+broken+bytes' });
    send(`GET ${task}`);
    socket.write(broken);
    const text = await all;
    const [, first = '', second = '', third = '', ...more] = text.split('HTTP/1.1 ');
    for (const response of [first, second])
      assert.match(response, /^200 [\s\S]*"title":"before the broken bytes"/);
    assert.match(third, /^400 Bad Request\r\n[^{]*Connection: close\r\n\r\n\{[^}]*\}$/);
    assert.deepEqual(more, []);
  }
});

test('invalid HTTP alone, or inside a body, gets a 400 at once', async (t) => {
  const emulator = await started(t);
  const alone = line(emulator);
  alone.socket.write('nonsense\r\n\r\n');
  assert.match(await alone.all, /^HTTP\/1\.1 400 Bad Request\r\n/);

  const { socket, send, all } = line(emulator);
  send(`GET ${task}`);
  socket.write(`PUT ${task} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ntitle\r\nzz\r\n`);
  const text = await all;
  assert.match(
    text,
    /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 400 Bad Request\r\n[^{]*Connection: close\r\n\r\n\{[^}]*\}$/,
  );
  assert.deepEqual(emulator.logged, []);
  assert.equal((await call(emulator, 'GET', '/account')).status, 200);
});

test('invalid HTTP after a request that never gets a response leaves the connection open', async (t) => {
  const emulator = await started(t);
  await control(emulator, 'POST', '/faults', { request: 'getTasks', silence: true });
  const { socket, send, all } = line(emulator);
  send(`GET ${task}`);
  socket.write('nonsense\r\n\r\n');
  // The fault is used up once the request has been taken.
  while ((await control(emulator, 'GET', '/faults')).faults.length > 0);
  socket.end();
  assert.equal(await all, '');
});

test('a request that never gets a response closes the connection of a half-closed client', async (t) => {
  const emulator = await started(t);
  await control(emulator, 'POST', '/faults', { request: 'getAccount', delayMs: 1_000 });
  await control(emulator, 'POST', '/faults', { request: 'getTasks', silence: true });
  const { socket, send, all } = line(emulator);
  send('GET /api/v4/account');
  send(`GET ${task}`);
  socket.end();
  await once(socket, 'finish');
  while ((await control(emulator, 'GET', '/faults')).faults.length > 0);
  emulator.clock.move(1_000);
  assert.deepEqual(valuesOf(answersIn(await all), 'kind'), ['accounts']);
});

test('CONNECT after valid requests: those get responses first, then 405', async (t) => {
  const emulator = await started(t);
  const { socket, send, all } = line(emulator);
  send(`PUT ${task}`, { body: 'title=before+the+tunnel' });
  send(`GET ${task}`);
  socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n');
  const [, first = '', second = '', third = '', ...more] = (await all).split('HTTP/1.1 ');
  for (const response of [first, second]) assert.match(response, /^200 [\s\S]*"title":"before the tunnel"/);
  assert.match(third, /^405 Method Not Allowed\r\n[^{]*Connection: close\r\n\r\n\{[^}]*\}$/);
  assert.deepEqual(more, []);
});

test('a client that keeps sending after invalid bytes is not reset, and loses no response', async (t) => {
  const emulator = await started(t);
  for (const rest of ['', 'x'.repeat(5_000_000)]) {
    const { socket, send, all } = line(emulator);
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    // It only notices that the emulator has ended its side, and sends some more before it ends its own.
    socket.prependOnceListener('end', () => socket.write('more nonsense'));
    send(`PUT ${task}`, { body: 'title=whole' });
    send(`GET ${task}`);
    socket.write(`nonsense\r\n\r\n${rest}`);
    const [, first = '', second = '', third = ''] = (await all).split('HTTP/1.1 ');
    for (const response of [first, second]) assert.match(response, /^200 [\s\S]*"title":"whole"/);
    assert.match(third, /^400 /);
    assert.deepEqual(errors, []);
  }
});
