// How much of a request the emulator reads.

import assert from 'node:assert/strict';
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
