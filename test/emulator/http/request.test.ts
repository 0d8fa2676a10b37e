// What a request gets that the emulator does not know or cannot read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeBytes } from '#test/support/service/raw-exchange.ts';
import { call, started } from '#test/support/service/start-emulator.ts';

const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
const json = 'Content-Type: application/json\r\n';
const task = '/api/v4/tasks/IEAAAAAQKQAB5BNG';

test('every response to an unknown or malformed request is JSON, and no other client is affected', async (t) => {
  const emulator = await started(t);
  const port = Number(new URL(emulator.baseUrl).port);
  const bearer = `Authorization: Bearer ${emulator.token}\r\n`;
  const withLength = (content: string) => `Content-Length: ${content.length}\r\n\r\n${content}`;
  for (const [line, status, more = '\r\n'] of [
    ['GET /nothing', 404],
    [`GET ${'/'.repeat(9000)}`, 404],
    ['GET http://example.com/api/v4/account', 403],
    ['GET *', 404],
    ['CONNECT x:1', 405],
    ['TRACE /', 404],
    ['GET /', 400, 'broken\r\n\r\n'],
    ['GET /api/v4/tasks', 200, 'Expect: wonders\r\n\r\n'],
    [`PUT ${task}?__proto__=1&constructor=2&toString=3`, 400],
    ['PUT /api/v4/tasks/__proto__', 404],
    [`PUT ${task}`, 400, json + withLength('{"__proto__":{"title":"x"}}   ')],
    [`PUT ${task}`, 400, json + withLength('null')],
    [`PUT ${task}`, 400, 'Content-Length: 100\r\n\r\ntitle=short'],
    ['POST /oauth2/token', 400, form + withLength('%ff')],
    ['POST /_emulator/events', 400, withLength('[]')],
    ['POST /_emulator/users/%ff', 404, withLength('')],
  ] as const) {
    const bytes = `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${bearer}${more}`;
    const response = await exchangeBytes(port, bytes, { end: true });
    const [head = '', body = ''] = response.split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), line);
    assert.match(head, new RegExp(`Content-Length: ${Buffer.byteLength(body)}(?:\r|$)`), line);
    assert.equal((await call(emulator, 'GET', '/account')).status, 200, line);
    if (status === 200 || line === 'POST /oauth2/token') continue;
    assert.match(head, /Content-Type: application\/json;charset=utf-8/, line);
    assert.deepEqual(Object.keys(JSON.parse(body)), ['errorDescription', 'error'], line);
  }
  for (const [bytes, status] of [
    ['\r\n\r\n', undefined],
    ['GET', '400'],
    ['nonsense\r\n\r\n', '400'],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    [`POST /oauth2/authorize/v4 HTTP/1.1\r\nHost: 127.0.0.1\r\n${withLength('')}`, '400'],
    ['GET /oauth2/authorize/v4?%ff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', '400'],
  ] as const)
    assert.equal(/^HTTP\/1\.1 (\d+) /.exec(await exchangeBytes(port, bytes, { end: true }))?.[1], status);
  assert.deepEqual(emulator.logged, []);
});
