// Listening, against real sockets: the free port, the faults, and that closing leaves nothing behind.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createServerCertificate } from '#emulator/certificate.ts';
import { createServer } from '#world/server.ts';
import type { Listening, RequestHandler } from '#world/world.ts';

const server = createServer();
const hello: RequestHandler = (_, response) => {
  response.end('hello');
};

test('listens on a free port, responds, and closes open connections', async () => {
  const listening = await listen(0);
  const response = await fetch(`http://${listening.host}:${listening.port}/`);
  assert.equal(await response.text(), 'hello');
  const socket = connect(listening.port, listening.host);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\n');
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await Promise.all([listening.close(), listening.close()]);
  await closed;
  const again = await listen(listening.port);
  await again.close();
});

test('serves https with a key and a certificate; closing does not wait for a client without a handshake', {
  timeout: 60_000,
}, async () => {
  const secure = await createServerCertificate(Date.now());
  const listening = await server.listen({ host: '127.0.0.1', port: 0, tls: secure }, hello);
  assert.ok(!('fault' in listening));
  const { port } = listening;
  const [response] = await once(
    get({ host: '127.0.0.1', port, ca: secure.authority, agent: false }),
    'response',
  );
  assert.equal(await text(response), 'hello');
  const halfOpen = connect(port, '127.0.0.1');
  await once(halfOpen, 'connect');
  const closed = once(halfOpen, 'close');
  await listening.close();
  await closed;
  await (await listen(port)).close();
});

test('a port in use is a fault', async () => {
  const first = await listen(0);
  const second = await server.listen({ host: '127.0.0.1', port: first.port }, hello);
  assert.ok('fault' in second);
  assert.equal(second.fault, 'in-use');
  await first.close();
});

test('an address that is not ours is a fault', async () => {
  const listening = await server.listen({ host: '203.0.113.1', port: 0 }, hello);
  assert.ok('fault' in listening);
  assert.equal(listening.fault, 'no-address');
});

const root = process.getuid?.() === 0;
test('a port that is not allowed is a fault', { skip: root && 'root may listen anywhere' }, async () => {
  const listening = await server.listen({ host: '127.0.0.1', port: 1 }, hello);
  assert.ok('fault' in listening);
  assert.equal(listening.fault, 'not-allowed');
});

test('bytes that are not HTTP get 400, and affect no other client', async () => {
  const listening = await listen(0);
  const socket = connect(listening.port, listening.host);
  socket.write('nonsense\r\n\r\n');
  const [chunk] = await once(socket, 'data');
  assert.match(String(chunk), /^HTTP\/1\.1 400 /);
  assert.equal((await fetch(`http://127.0.0.1:${listening.port}/`)).status, 200);
  await listening.close();
});

async function listen(port: number): Promise<Listening> {
  const listening = await server.listen({ host: '127.0.0.1', port }, hello);
  if ('fault' in listening) assert.fail(listening.detail);
  return listening;
}
