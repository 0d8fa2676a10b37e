// How much of a request the emulator reads.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { call, started } from '../start.ts';

const mostBytes = 16 * 1024 * 1024;

test('a body of 16 MiB is read whole, and one byte more is too long', async (t) => {
  const emulator = await started(t);
  const send = async (length: number) => {
    const body = `title=${'x'.repeat(length - 'title='.length)}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return (await call(emulator, 'PUT', '/tasks/IEAAAAAQKQAB5BNG', { body, headers })).body;
  };
  const whole = await send(mostBytes);
  assert.equal(whole.error, 'invalid_parameter');
  assert.match(whole.errorDescription, /has 16777210 characters; the limit is 1000/);
  const longer = await send(mostBytes + 1);
  assert.equal(longer.error, 'invalid_request');
  assert.match(longer.errorDescription, /longer than 16777216 bytes/);
});

/** Sends raw bytes, and gives back whatever comes until the other end closes. */
function raw(host: string, bytes: string): Promise<string> {
  const [name = '', port] = host.split(':');
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host: name, port: Number(port) }, () => socket.write(bytes));
    socket.on('data', (piece) => {
      text += piece.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', () => resolve(text));
  });
}

test('a query with a description of a million characters is read, and 16 MB of request line is too long', async (t) => {
  const emulator = await started(t);
  const lines = (target: string) =>
    `PUT ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${emulator.token}\r\n\r\n`;
  const lantern = encodeURIComponent('\u{1F3EE}');
  const path = '/api/v4/tasks/IEAAAAAQKQAB5BNG?description=';
  const longest = await raw(emulator.host, lines(`${path}${lantern.repeat(1_000_000)}`));
  assert.match(longest, /^HTTP\/1\.1 200 /);
  const { body } = await call(emulator, 'GET', '/tasks/IEAAAAAQKQAB5BNG');
  assert.equal([...body.data[0].description].length, 1_000_000);
  const beyond = await raw(emulator.host, lines(`${path}${'x'.repeat(mostBytes)}`));
  assert.match(beyond, /^HTTP\/1\.1 431 /);
  assert.equal(JSON.parse(beyond.slice(beyond.indexOf('\r\n\r\n'))).error, 'invalid_request');
});

test('every response to an unknown or malformed request is JSON', async (t) => {
  const { host } = await started(t);
  for (const [bytes, status] of [
    ['nonsense\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['GET /api/v4/account HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: wonders\r\nConnection: close\r\n\r\n', 401],
    ['GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n', 404],
    ['CONNECT x:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 405],
    ['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nbroken\r\n\r\n', 400],
  ] as const) {
    const response = await raw(host, bytes);
    const [head = '', body = ''] = response.split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), bytes);
    assert.match(head, /Content-Type: application\/json;charset=utf-8/, bytes);
    assert.match(head, new RegExp(`Content-Length: ${Buffer.byteLength(body)}(?:\r|$)`), bytes);
    assert.deepEqual(Object.keys(JSON.parse(body)), ['errorDescription', 'error'], bytes);
  }
});
