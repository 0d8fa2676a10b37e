// How much of a request the emulator reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeBytes } from '#test/support/service/raw-exchange.ts';
import { call, started } from '#test/support/service/start-emulator.ts';

const mostBytes = 16 * 1024 * 1024;

test('a body of 16 MiB is read whole; one more byte is too long', async (t) => {
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

test('a query with a description of a million characters is read; a request line of 16 MB is too long', async (t) => {
  const emulator = await started(t);
  const port = Number(new URL(emulator.baseUrl).port);
  const lines = (target: string) =>
    `PUT ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${emulator.token}\r\n\r\n`;
  const lantern = encodeURIComponent('\u{1F3EE}');
  const path = '/api/v4/tasks/IEAAAAAQKQAB5BNG?description=';
  const longest = await exchangeBytes(port, lines(`${path}${lantern.repeat(1_000_000)}`));
  assert.match(longest, /^HTTP\/1\.1 200 /);
  const { body } = await call(emulator, 'GET', '/tasks/IEAAAAAQKQAB5BNG');
  assert.equal([...body.data[0].description].length, 1_000_000);
  const beyond = await exchangeBytes(port, lines(`${path}${'x'.repeat(mostBytes)}`));
  assert.match(beyond, /^HTTP\/1\.1 431 /);
  assert.equal(JSON.parse(beyond.slice(beyond.indexOf('\r\n\r\n'))).error, 'invalid_request');
});
