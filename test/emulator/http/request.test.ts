// What a request gets that the emulator does not know or cannot read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeBytes } from '#test/support/service/raw-exchange.ts';
import { started } from '#test/support/service/start-emulator.ts';

test('every response to an unknown or malformed request is JSON', async (t) => {
  const port = Number(new URL((await started(t)).baseUrl).port);
  for (const [bytes, status] of [
    ['nonsense\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['GET /api/v4/account HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: wonders\r\nConnection: close\r\n\r\n', 401],
    ['GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n', 404],
    ['CONNECT x:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 405],
    ['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nbroken\r\n\r\n', 400],
  ] as const) {
    const response = await exchangeBytes(port, bytes);
    const [head = '', body = ''] = response.split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), bytes);
    assert.match(head, /Content-Type: application\/json;charset=utf-8/, bytes);
    assert.match(head, new RegExp(`Content-Length: ${Buffer.byteLength(body)}(?:\r|$)`), bytes);
    assert.deepEqual(Object.keys(JSON.parse(body)), ['errorDescription', 'error'], bytes);
  }
});
